"""Figures and trends of many posts, and a minute's views of many: no other request waits for them.

`CMS_TEST_POSTS` says how many posts, `CMS_TEST_HEALTH` how many seconds a look at the site's health may take
meanwhile; `make stress` takes 100,000 and 0.1. How long the event loop works at one piece is told in seconds of its
own thread, which a busy machine does not stretch.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from cms_host.testing import Client, FakeClock, MakeSite, Site
from cms_posts.filling import fill
from cms_posts.testing import LIKENESS
from cms_stats import store
from cms_stats.api import day_of, hour_of
from cms_stats.store import Viewed
from cms_stats.views import PendingViews
from cms_trends.period import PERIODS
from tests.host.process.installation import PATIENCE
from tests.stress.heap import as_served

POSTS = int(os.environ.get("CMS_TEST_POSTS", "300"))
SLOWEST = float(os.environ.get("CMS_TEST_HEALTH", str(PATIENCE)))
#: Days that have views, each of this part of the posts.
DAYS, PART = 60, 5
HOURS = 48


@dataclass
class Watch:
    """Looks at the site's health all the time."""

    client: Client
    #: Seconds that each look took, by what went on meanwhile.
    looks: dict[str, list[float]] = field(default_factory=dict)
    #: Seconds of the longest piece of work that the event loop did since it was asked last.
    piece: float = 0.0

    def time_pieces(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Have the loop's work timed."""
        run = asyncio.Handle._run  # type: ignore[attr-defined] # there is no other place where all of it passes

        def timing(handle: asyncio.Handle) -> None:
            begun = time.thread_time()
            run(handle)
            self.piece = max(self.piece, time.thread_time() - begun)

        monkeypatch.setattr(asyncio.Handle, "_run", timing)

    @asynccontextmanager
    async def over(self, what: str) -> AsyncIterator[None]:
        """Look for as long as the block lasts, and once more."""
        self.looks[what], ended = [], asyncio.Event()
        looking = asyncio.create_task(self._look(what, ended))
        try:
            yield
        finally:
            ended.set()
            await looking

    async def _look(self, what: str, ended: asyncio.Event) -> None:
        is_over = False
        while not is_over:
            is_over = ended.is_set()
            begun = time.perf_counter()
            assert (await self.client.get("/health")).status == 200
            self.looks[what].append(time.perf_counter() - begun)


async def timed(watch: Watch, what: str, work: Awaitable[Any]) -> Any:
    watch.piece = 0.0
    async with watch.over(what):
        begun = time.perf_counter()
        found = await work
        took = time.perf_counter() - begun
    longest = {"": took, "health": max(watch.looks[what]), "the loop at a time": watch.piece}
    print(f"{what}:", ", ".join(f"{name} {each * 1000:.0f} ms".strip() for name, each in longest.items()))
    assert watch.piece <= SLOWEST, what
    return found


@pytest.fixture
async def site(make_site: MakeSite) -> AsyncIterator[Site]:
    """Many posts, each fifth of them viewed on each of sixty days."""
    made = await make_site(disabled=LIKENESS)
    client = await made.client("editor")
    # Statements are compiled at their first use, which is another thing.
    for path in ("/stats", *(f"/trends?period={name}" for name in PERIODS)):
        assert (await client.get(path)).status == 200
    async for _ in fill(made.host, POSTS, 1):
        pass
    await viewed_for_long(made, made.clock)
    with as_served():
        yield made


async def viewed_for_long(site: Site, clock: FakeClock) -> None:
    chance = Random(7)  # noqa: S311 - not for secrets.
    now = clock.now()
    for ago in range(max(DAYS, HOURS)):
        posts = chance.sample(range(1, POSTS + 1), POSTS // PART)
        # Hours that are not looked at are left out; both tables have as many rows as a busy site's.
        hour, day = hour_of(now) - ago, day_of(now, "UTC") - ago
        async with site.host.unit().write() as unit:
            await store.add(unit.tx, [Viewed(each, hour, day, chance.randrange(1, 50)) for each in posts])


@pytest.mark.slow
async def test_figures_and_trends_of_many_posts_hold_up_no_other_request(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = await site.client("subscriber")
    watch = Watch(client)
    watch.time_pieces(monkeypatch)
    await client.get("/health")
    stats = (await timed(watch, "GET /stats", client.get("/stats"))).data
    assert stats["posts"]["total"] + stats["pages"]["total"] == POSTS
    assert stats["views"]["total"] > POSTS // PART * DAYS
    for name in PERIODS:
        found = (await timed(watch, f"GET /trends?period={name}", client.get(f"/trends?period={name}&limit=100"))).data
        views = [item["views"] for item in found["items"]]
        assert views == sorted(views, reverse=True)
        assert 0 < len(views) <= 100
    pending = site.host.one(PendingViews)
    pending.note(dict.fromkeys(range(1, POSTS + 1, PART), 3), site.clock.now(), "UTC")
    await timed(watch, f"{POSTS // PART} posts' views", pending.flush(site.host.unit()))
    after = (await client.get("/stats")).data["views"]["total"]

    assert after == stats["views"]["total"] + 3 * POSTS // PART
    slow = {what: max(looks) for what, looks in watch.looks.items() if max(looks) > SLOWEST}
    assert slow == {}
