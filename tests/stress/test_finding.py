"""Search and sitemap over many posts: others are served meanwhile, and a sitemap's memory does not grow with it.

`CMS_TEST_POSTS` says how many posts, `CMS_TEST_HEALTH` how many seconds the event loop may be kept from others;
`make stress` takes 100,000 and 0.1, and prints what it measured.
"""

import asyncio
import os
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

import pytest

from cms_host.testing import Client, MakeSite, Site
from cms_host.testing.site import API
from cms_posts.filling import fill
from tests.stress.heap import as_served

POSTS = int(os.environ.get("CMS_TEST_POSTS", "300"))
FAMILIES = ["users", "posts", "categories", "tags", "health", "search", "sitemap"]
#: Seconds of its own time that the event loop may be kept from others: what other processes do does not count. A tenth
#: is the goal; unless asked for that, the suite is content with what a machine five times as slow would take.
LONGEST_TURN = float(os.environ.get("CMS_TEST_HEALTH", "0.5"))
#: Seconds that a request may take, however busy the machine is.
PATIENCE = 60
#: What is looked for: two words of which nearly every post has both, one that goes on, and what only a scan finds.
SEARCHES = ("morning weather", "every garde", "Kıyı kentleri", "köprü", "ap")


@dataclass
class Watch:
    """How the event loop and `/health` fared while something else went on."""

    turns: list[float] = field(default_factory=list)
    pings: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        turn, pings = max(self.turns) * 1000, [round(ping * 1000) for ping in sorted(self.pings)]
        told = f"median {pings[len(pings) // 2]} ms, longest {pings[-1]} ms"
        return f"longest turn {turn:.0f} ms; {len(pings)} pings, {told}"


@asynccontextmanager
async def watching(client: Client) -> AsyncIterator[Watch]:
    """Ask for `/health` one time after the other, and look at the loop's clock, for as long as the block lasts."""
    watch = Watch()
    tasks = [asyncio.create_task(each(watch)) for each in (_turns, lambda watch: _pings(watch, client))]
    try:
        yield watch
        for task in tasks:
            assert not task.done(), task.exception()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _turns(watch: Watch) -> None:
    while True:
        before = time.thread_time()
        await asyncio.sleep(0.001)  # The loop has nothing to wait for here: this is how often it is looked at.
        watch.turns.append(time.thread_time() - before)


async def _pings(watch: Watch, client: Client) -> None:
    while True:
        before = time.perf_counter()
        assert (await client.get("/health")).status == 200
        watch.pings.append(time.perf_counter() - before)


@pytest.fixture
async def site(make_site: MakeSite) -> AsyncIterator[Site]:
    """A site full of posts, without rules, whose indexes would take longer to fill than all else."""
    site = await make_site(enabled=FAMILIES, base_url="https://example.org")
    await site.client("admin")
    async for _ in fill(site.host, POSTS, 1):
        pass
    with as_served():
        yield site


async def measured(site: Site, name: str, act: Callable[[], Awaitable[object]]) -> None:
    """Do it while others are served, and tell how long it took."""
    async with watching(await site.client("subscriber")) as watch:
        began = time.perf_counter()
        await act()
        took = time.perf_counter() - began
        # However short it was: there has to be something to tell of.
        async with asyncio.timeout(PATIENCE):
            while not (watch.turns and watch.pings):
                await asyncio.sleep(0)  # Another turn for the watchers.
    print(f"\n{site.host.db.dialect}, {POSTS} posts: {name}: {took * 1000:.0f} ms; {watch}")
    assert max(watch.turns) < LONGEST_TURN, name


@pytest.mark.slow
async def test_search_and_sitemap_keep_nobody_waiting(site: Site) -> None:
    reader = await site.client("subscriber", "reader")
    for text in SEARCHES:
        for page in ("1", "40"):
            await measured(site, f"/search?q={text}&page={page}", partial(searched, reader, text, page))
    total = (await reader.get("/sitemap?per_page=1")).data["total"]
    assert total > POSTS * 0.8
    await measured(site, "/sitemap?per_page=50000", partial(listed, reader, total))
    await measured(site, "/sitemap?format=xml", partial(streamed, reader, total))
    await measured(site, "/sitemap.xml and what it is an index of", partial(fetched, site, total))


async def searched(reader: Client, text: str, page: str) -> None:
    answer = await reader.get("/search", params={"q": text, "page": page, "per_page": "20"})
    assert answer.status == 200
    assert answer.data["total"] > 0


async def listed(reader: Client, total: int) -> None:
    # Past the test's own client, which would take apart what is JSON, on the loop that is looked at.
    path, headers = f"{API}/sitemap?per_page=50000", {"X-API-Key": reader.key or ""}
    async with reader.site.http.get(path, headers=headers) as answer:
        assert (await answer.read()).count(b'"loc"') == min(total, 50_000)


async def streamed(reader: Client, total: int) -> None:
    files = [(await reader.get(f"/sitemap?format=xml&page={page}")).body for page in (1, 2)]
    assert sum(file.count(b"<url>") for file in files) == min(total, 100_000)


async def fetched(site: Site, total: int) -> None:
    text = (await site.fetch("GET", "/sitemap.xml")).text
    files = re.findall(r"<loc>https://example.org(/sitemap-.*?)</loc>", text) or ["/sitemap.xml"]
    assert sum([(await site.fetch("GET", file)).body.count(b"<url>") for file in files]) == total
