"""Views sent to a site of two processes that is stopped, and killed: a stop loses none, a kill those of a minute."""

import asyncio
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cms_host.testing import Databases
from cms_posts.testing import article
from tests.host.process.installation import Installation, Running
from tests.stress.sites import client, errors, installation, kill

REQUESTS = int(os.environ.get("CMS_TEST_VIEWS", "40"))
#: Requests under way at a time, and views in each.
AT_ONCE, EACH = 8, 3


@pytest.fixture(params=Databases.KINDS)
def made(request: pytest.FixtureRequest, databases: Databases, tmp_path: Path) -> Installation:
    return installation(tmp_path, databases.make(request.param, migrated=False))


@pytest.fixture
def start(made: Installation) -> Iterator[Callable[[], Running]]:
    """Starts the site; nothing outlives the test."""
    started: list[Running] = []

    def start_one() -> Running:
        started.append(made.start("--workers", "2"))
        return started[-1]

    yield start_one
    for each in started:
        if each.process.poll() is None:
            kill(each)


async def ask(made: Installation, running: Running, method: str, path: str, body: Any = None) -> Any:
    async with client(made, running) as http, http.request(method, f"/api/v1{path}", json=body) as response:
        assert response.status < 300, await response.text()
        return (await response.json())["data"]


async def send_views(made: Installation, running: Running) -> None:
    """Each on a connection of its own, so that both processes get some."""
    free, body = asyncio.Semaphore(AT_ONCE), {"items": [{"post_id": 1, "count": EACH}]}
    async with client(made, running, reconnecting=True) as http:

        async def send() -> None:
            async with free, http.post("/api/v1/stats/views", json=body) as response:
                assert response.status == 200, await response.text()

        await asyncio.gather(*(send() for _ in range(REQUESTS)))


async def counted(made: Installation, running: Running) -> int:
    """What the figures and the post both say."""
    views = (await ask(made, running, "GET", "/stats"))["views"]
    post = await ask(made, running, "GET", "/posts/1")
    assert views["total"] == views["last_7_days"] == post["view_count"]
    total: int = views["total"]
    return total


@pytest.mark.slow
async def test_a_stop_loses_no_view_and_a_kill_counts_none_twice(
    made: Installation, start: Callable[[], Running]
) -> None:
    running = await asyncio.to_thread(start)
    await asyncio.to_thread(running.wait_for, "serves on ")
    await ask(made, running, "POST", "/posts", article())
    await send_views(made, running)
    assert await asyncio.to_thread(running.end) == 0
    assert errors(running) == []

    again = await asyncio.to_thread(start)
    await asyncio.to_thread(again.wait_for, "serves on ")
    assert await counted(made, again) == REQUESTS * EACH
    await send_views(made, again)
    await asyncio.to_thread(kill, again)

    last = await asyncio.to_thread(start)
    await asyncio.to_thread(last.wait_for, "serves on ")
    assert REQUESTS * EACH <= await counted(made, last) <= 2 * REQUESTS * EACH
    assert await asyncio.to_thread(last.end) == 0
