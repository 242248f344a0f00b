"""Several hosts on one database, and hosts that die or lose the database: every post comes out once."""

import asyncio
from collections import Counter

import pytest

from cms_host.testing import FakeClock, MakeSite, Site, serving
from cms_posts import schedule_store
from cms_posts.scheduler import LEASE, SECOND

from .scheduling import HOUR, JOB, Desk, Doorman, Witness, open_desk, scheduled


@pytest.fixture
async def desks(make_site: MakeSite) -> list[Desk]:
    return [await open_desk(make_site) for _ in range(2)]


async def fill(desk: Desk, number: int) -> None:
    client = await desk.site.client("author")
    for each in range(number):
        await scheduled(client, f"News of day {each}")


@pytest.mark.shows("state.due.race")
async def test_two_hosts_publish_each_post_once(desks: list[Desk]) -> None:
    await fill(desks[0], 40)
    desks[0].site.clock.advance(HOUR)
    await asyncio.gather(*(desk.site.run_job(JOB) for desk in desks))
    by_host = [desk.witness.published for desk in desks]
    assert Counter(by_host[0] + by_host[1]) == dict.fromkeys(range(1, 41), 1)
    assert all(by_host)


async def test_hosts_whose_clocks_differ_publish_each_post_once(make_site: MakeSite, database_url: str) -> None:
    slow = await open_desk(make_site)
    await fill(slow, 20)
    slow.site.clock.advance(HOUR)
    ahead = FakeClock(slow.site.clock.now() + 2 * LEASE * SECOND)
    async with serving(ahead, database_url=database_url, workers=slow.site.host.workers) as site:
        fast = Desk(site, Doorman(), Witness())
        site.host.gate, site.host.post_observers = slow.site.host.gate, [fast.witness]
        await asyncio.gather(slow.site.run_job(JOB), fast.site.run_job(JOB))
    assert Counter(slow.witness.published + fast.witness.published) == dict.fromkeys(range(1, 21), 1)


async def test_claim_of_a_dead_host_is_taken_over_after_its_lease(desks: list[Desk]) -> None:
    await fill(desks[0], 3)
    dead, alive = desks
    dead.site.clock.advance(HOUR)
    await claim(dead.site)
    await alive.wait(LEASE - 1)
    assert alive.witness.published == []
    await alive.wait(1)
    assert alive.witness.published == [1, 2, 3]


async def claim(site: Site) -> None:
    """What a host does that dies before it has published anything."""
    now = site.clock.now()
    async with site.host.db.transaction() as tx:
        assert len(await schedule_store.claim_due(tx, "dead", now, now + LEASE * SECOND, 3)) == 3


async def test_host_that_lost_its_claims_publishes_nothing_twice(desks: list[Desk]) -> None:
    slow, other = desks
    await fill(slow, 3)

    async def overtaken() -> None:
        await other.wait(LEASE)

    slow.doorman.meanwhile = overtaken
    await slow.wait(HOUR)
    assert (slow.witness.published, other.witness.published) == ([], [1, 2, 3])
    assert await slow.statuses() == dict.fromkeys((1, 2, 3), "published")


async def test_host_that_is_stopped_leaves_its_claims_to_the_next_at_once(desks: list[Desk]) -> None:
    stopped, other = desks
    await fill(stopped, 3)
    reached = asyncio.Event()

    async def wait_for_ever() -> None:
        reached.set()
        await asyncio.Event().wait()

    stopped.doorman.meanwhile = wait_for_ever
    stopped.site.clock.advance(HOUR)
    running = asyncio.create_task(stopped.site.run_job(JOB))
    await reached.wait()
    running.cancel()
    await asyncio.wait([running])
    await other.wait(0)
    assert (running.cancelled(), other.witness.published) == (True, [1, 2, 3])


async def test_what_the_lack_of_a_database_interrupted_is_published_after_the_lease(desks: list[Desk]) -> None:
    cut, _ = desks
    await fill(cut, 3)
    cut.doorman.meanwhile = cut.site.host.db.close
    await cut.wait(HOUR)
    await cut.site.host.db.open()
    await cut.wait(LEASE - 1)
    assert cut.witness.published == []
    await cut.wait(1)
    assert cut.witness.published == [1, 2, 3]
