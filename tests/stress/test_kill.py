"""`kill -9` in the middle of many writes: what was acknowledged stays, what was not is whole or not there at all.

`make stress` kills 100 times on each database, the suite twice. CMS_TEST_SEED repeats a run's choices, as far as the
machine lets it.
"""

import asyncio
import os
import secrets
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import aiohttp
import pytest
from sqlalchemy import column, func, select, table

from cms_host.migrate import sync_engine
from cms_host.testing import Databases
from tests.host.process.installation import PATIENCE, Installation, Running, poll
from tests.stress.ledger import Ledger
from tests.stress.sites import client, errors, installation, kill
from tests.stress.stored import stored_states
from tests.stress.writers import Writer

KILLS = int(os.environ.get("CMS_TEST_KILLS", "2"))
#: Seconds from the start to the first answer (RELIABILITY G2 says 5, on a machine with nothing else to do).
RESTART = float(os.environ.get("CMS_TEST_RESTART", str(PATIENCE)))
WRITERS = 16
#: Answers after which the group is killed, and seconds beyond them: about as long as one write takes.
MOST_ANSWERS, LONGEST_REST = 150, 0.05


class Site:
    """A site that is killed and started again, on one database for ever."""

    def __init__(self, installation: Installation, chance: Random) -> None:
        self._installation = installation
        self._chance = chance
        self._ledger = Ledger()
        self._running: Running | None = None
        self._categories: list[int] = []
        #: Seconds that each start took, and what became of what was under way at each kill.
        self.starts: list[float] = []
        self.became: Counter[str] = Counter()

    @property
    def url(self) -> str:
        return self._installation.environment["CMS_DATABASE_URL"]

    @property
    def running(self) -> Running:
        assert self._running is not None
        return self._running

    @property
    def answers(self) -> Counter[tuple[str, int]]:
        return self._ledger.answers

    async def start(self) -> None:
        """Until it answers."""
        begun = time.monotonic()
        self._running = self._installation.start("--workers", "2")
        await asyncio.to_thread(self._running.wait_for, "serves on ")
        async with self._client() as http, http.get("/api/v1/health") as response:
            assert response.status == 200
        self.starts.append(time.monotonic() - begun)

    async def make_categories(self) -> None:
        """Two trees of three, for posts to be filed under."""
        async with self._client() as http:
            for number in range(6):
                parent = self._categories[number - number % 3] if number % 3 else None
                body = {"name": f"Raf {number}", "parent_id": parent}
                async with http.post("/api/v1/categories", json=body) as response:
                    assert response.status == 201, await response.text()
                    self._categories.append((await response.json())["data"]["id"])

    async def write_until_killed(self) -> None:
        async with self._client() as http:
            writers = [
                Writer(
                    number,
                    Random(self._chance.random()),  # noqa: S311 - not for secrets.
                    self._ledger,
                    http,
                    self._categories,
                )
                for number in range(WRITERS)
            ]
            async with asyncio.TaskGroup() as group:
                for each in writers:
                    group.create_task(each.write_until_cut_off())
                group.create_task(self._kill_at_random())
        # There is no reason to refuse any of it; least of all that the database is locked.
        assert not self._ledger.refusals, "\n".join([*self._ledger.refusals, *errors(self.running)])
        assert not errors(self.running), "\n".join(errors(self.running))

    def compare(self) -> None:
        """What was promised, against what is there; and the indexes, against the posts."""
        stored = stored_states(self.url)
        faults = list(self._ledger.faults(stored))
        assert not faults, "\n".join(faults)
        self.became += self._ledger.settle(stored)
        checked = self._installation.run("check")
        assert checked.returncode == 0, checked.stdout + checked.stderr

    def stop(self) -> None:
        """Let nothing outlive the test."""
        if self._running is not None and self._running.process.poll() is None:
            kill(self._running)

    async def _kill_at_random(self) -> None:
        wanted = self._ledger.answers.total() + self._chance.randrange(1, MOST_ANSWERS)
        async with asyncio.timeout(5 * PATIENCE):
            while self._ledger.answers.total() < wanted:
                await asyncio.sleep(0.001)  # The clock of the writers is their answers.
        await asyncio.sleep(self._chance.uniform(0, LONGEST_REST))  # So that no step of a write is never hit.
        await asyncio.to_thread(kill, self.running)

    def _client(self) -> aiohttp.ClientSession:
        return client(self._installation, self.running)


@pytest.fixture(params=Databases.KINDS)
def site(request: pytest.FixtureRequest, databases: Databases, tmp_path: Path) -> Iterator[Site]:
    seed = int(os.environ.get("CMS_TEST_SEED", secrets.randbits(32)))
    print(f"CMS_TEST_SEED={seed}")
    url = databases.make(request.param, migrated=False)
    made = Site(installation(tmp_path, url), Random(seed))  # noqa: S311 - not for secrets.
    yield made
    made.stop()


@pytest.mark.slow
async def test_kill_loses_nothing_and_leaves_nothing_by_halves(site: Site) -> None:
    await site.start()
    await site.make_categories()
    for _ in range(KILLS):
        await site.write_until_killed()
        killed = await asyncio.to_thread(moment, site.url)
        await site.start()
        await asyncio.to_thread(await_the_rest, site.url, killed)
        await asyncio.to_thread(site.compare)
    print(f"{KILLS} kills; up again within {max(site.starts):.1f} s; under way: {dict(site.became)}")
    print(dict(site.answers))
    assert {act for act, status in site.answers if status < 300} >= {"create", "update", "publish"}
    assert max(site.starts[1:]) <= RESTART


def moment(url: str) -> object:
    """The time, as PostgreSQL tells it."""
    if url.startswith("sqlite"):
        return None
    with sync_engine(url).connect() as connection:
        return connection.scalar(select(func.clock_timestamp()))


def await_the_rest(url: str, killed: object) -> None:
    poll(lambda: not left_over(url, killed), "PostgreSQL to see who is gone")


def left_over(url: str, killed: object) -> bool:
    """Whether a server process still works for a client that was killed.

    It carries out what it was sent before it looks who is there, so a commit may come after the killing.
    """
    if killed is None:
        return False
    activity = table("pg_stat_activity", column("datname"), column("backend_type"), column("backend_start"))
    theirs = (
        select(func.count())
        .select_from(activity)
        .where(
            activity.c.datname == func.current_database(),
            activity.c.backend_type == "client backend",
            activity.c.backend_start < killed,
        )
    )
    with sync_engine(url).connect() as connection:
        return bool(connection.scalar(theirs))
