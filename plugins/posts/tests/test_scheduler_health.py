"""How the scheduler shows in GET /health, and for how long it remembers."""

import pytest

from cms_host.testing import MakeSite, dump

from .scheduling import HOUR, Desk, open_desk, scheduled


@pytest.fixture
async def desk(make_site: MakeSite) -> Desk:
    return await open_desk(make_site)


async def health(desk: Desk) -> tuple[str, str]:
    """Status and detail of the check."""
    data = (await (await desk.site.client("admin")).get("/health")).data
    check = data["checks"]["scheduler"]
    assert data["status"] == check["status"]
    return check["status"], check["detail"]


async def test_scheduler_is_well_while_nothing_waits_for_more_than_a_minute(desk: Desk) -> None:
    await scheduled(await desk.site.client("author"))
    assert await health(desk) == ("ok", "the oldest due post waits for 0 s; 0 refused in 24 hours")
    desk.site.clock.advance(HOUR + 60)
    assert await health(desk) == ("ok", "the oldest due post waits for 60 s; 0 refused in 24 hours")
    desk.site.clock.advance(1)
    assert await health(desk) == ("degraded", "the oldest due post waits for 61 s; 0 refused in 24 hours")
    await desk.wait(0)
    assert await health(desk) == ("ok", "the oldest due post waits for 0 s; 0 refused in 24 hours")


async def test_post_that_can_not_be_judged_shows(desk: Desk) -> None:
    await scheduled(await desk.site.client("author"), "Odd news")
    await desk.wait(HOUR)
    desk.site.clock.advance(70)
    assert (await health(desk))[0] == "degraded"


async def test_refusals_of_the_last_day_are_counted(desk: Desk, database_url: str) -> None:
    client = await desk.site.client("author")
    await scheduled(client, "Bad news")
    await scheduled(client, "Bad weather", "2026-01-15 14:00:00")
    await desk.wait(HOUR)
    await desk.wait(HOUR)
    assert await health(desk) == ("ok", "the oldest due post waits for 0 s; 2 refused in 24 hours")
    desk.site.clock.advance(23 * HOUR + 1)
    assert await health(desk) == ("ok", "the oldest due post waits for 0 s; 1 refused in 24 hours")
    desk.site.clock.advance(HOUR)
    assert (await health(desk))[1].endswith("; 0 refused in 24 hours")
    await desk.site.run_job("posts.forget-schedules")
    assert dump(database_url)["post_schedules"] == []


async def test_what_is_remembered_of_today_is_not_forgotten(desk: Desk, database_url: str) -> None:
    client = await desk.site.client("author")
    await scheduled(client, "Bad news")
    await scheduled(client, "Odd news")
    await desk.wait(HOUR)
    desk.site.clock.advance(23 * HOUR)
    before = dump(database_url)["post_schedules"]
    await desk.site.run_job("posts.forget-schedules")
    assert dump(database_url)["post_schedules"] == before != []
