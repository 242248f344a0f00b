"""When a key was last used: exact to the minute, and never written by a request."""

import logging

import pytest

from cms_host.testing import Client, FakeClock, MakeSite, Site, dump, serving
from cms_users.keys import KeyService

from .conftest import MakeKey

JOB = "users.last-used"


async def last_used(site: Site) -> list[int | None]:
    return [key.last_used_at for key in await site.host.unit().get(KeyService).all()]


@pytest.mark.shows("key.last_used")
async def test_use_of_a_key_is_written_by_the_job_and_not_by_the_request(
    site: Site, make_key: MakeKey, database_url: str
) -> None:
    client = Client(site, await make_key())
    await make_key("other")
    before = dump(database_url)
    site.clock.advance(10)
    await client.get("/users")
    assert dump(database_url) == before

    await site.run_job(JOB)

    assert await last_used(site) == [site.clock.now(), None]


async def test_refused_key_is_not_a_used_one(site: Site, make_key: MakeKey) -> None:
    client = Client(site, await make_key())
    async with site.host.unit().write() as unit:
        await unit.get(KeyService).revoke(1)
    await client.get("/users")
    await site.run_job(JOB)

    assert await last_used(site) == [None]


async def test_later_use_on_another_host_is_not_overwritten(site: Site, make_site: MakeSite, make_key: MakeKey) -> None:
    key = await make_key()
    other = await make_site(enabled=["users"])
    await Client(site, key).get("/users")
    site.clock.advance(5)
    await Client(other, key).get("/users")
    await other.run_job(JOB)
    await site.run_job(JOB)

    assert await last_used(site) == [site.clock.now()]


async def test_clock_that_goes_back_does_not_take_a_use_away(site: Site, make_key: MakeKey) -> None:
    client = Client(site, await make_key())
    await client.get("/users")
    used = site.clock.now()
    site.clock.advance(-60)
    await client.get("/users")
    await site.run_job(JOB)

    assert await last_used(site) == [used]


async def test_use_is_written_when_the_process_stops(clock: FakeClock, database_url: str, make_key: MakeKey) -> None:
    key = await make_key()
    async with serving(clock, database_url=database_url, enabled=["users"], jobs=True) as stopping:
        await Client(stopping, key).get("/users")

    (row,) = dump(database_url)["api_keys"]
    assert clock.now() in row


async def test_what_could_not_be_written_is_kept_for_the_next_turn(
    site: Site, make_key: MakeKey, caplog: pytest.LogCaptureFixture
) -> None:
    client = Client(site, await make_key())
    await client.get("/users")
    used = site.clock.now()
    await site.host.db.close()
    await site.host.jobs.run_due(site.host.jobs.named(JOB))
    assert [record.levelno for record in caplog.records if record.name == "cms_host.jobs"] == [logging.ERROR]
    await site.host.db.open()
    await site.run_job(JOB)

    assert await last_used(site) == [used]
