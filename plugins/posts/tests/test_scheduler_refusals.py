"""Scheduled posts that don't come out at their time: refused, not judged, or in the way of an error."""

import logging
from typing import Any, NoReturn

import pytest

from cms_host.api import Candidate, Gate, Reader
from cms_host.testing import MakeSite, Site, dump
from cms_posts.scheduler import DELAYS

from .scheduling import DUE, HOUR, JOB, Desk, Doorman, open_desk, scheduled

REFUSED = "scheduled post refused by the gate"


@pytest.fixture
async def desk(make_site: MakeSite) -> Desk:
    return await open_desk(make_site)


def told(caplog: pytest.LogCaptureFixture, message: str) -> list[Any]:
    """The log lines of the scheduler that say this."""
    return [each for each in caplog.records if each.name == "cms_posts.scheduler" and each.message == message]


@pytest.mark.shows("state.due.refused", "state.due.report")
async def test_refused_post_becomes_pending_and_keeps_the_report(site: Site) -> None:
    client = await site.client("author")
    await scheduled(client, title="Short")
    site.clock.advance(HOUR)
    await site.run_job(JOB)
    record = (await client.get("/posts/1")).data
    assert (record["status"], record["published_at"], record["review_valid"]) == ("pending", None, None)
    report = (await client.get("/posts/1/gate")).data
    assert (report["ran_at"], report["trigger"], report["passes"]) == (DUE, "scheduler", False)
    (block,) = report["blocks"]
    assert (block["code"], block["detail"]["measured"]) == ("short_title", 5)


@pytest.mark.shows("state.due.logged")
async def test_refusal_is_logged_once_with_post_and_codes(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    await scheduled(await desk.site.client("author"), "Bad news")
    for _ in range(3):
        await desk.wait(HOUR)
    (line,) = told(caplog, REFUSED)
    assert (line.levelno, line.post_id, line.codes) == (logging.WARNING, 1, ["test.doorman"])


@pytest.mark.shows("state.due.once")
async def test_refused_post_is_not_tried_again(desk: Desk, database_url: str) -> None:
    await scheduled(await desk.site.client("author"), "Bad news")
    await desk.wait(HOUR)
    before = dump(database_url)
    for seconds in (1, *DELAYS, 86_400):
        await desk.wait(seconds)
    assert len(desk.doorman.asked) == 1
    assert dump(database_url) == before


async def test_refusal_is_counted_once(desk: Desk, database_url: str) -> None:
    await scheduled(await desk.site.client("author"), "Bad news")
    await desk.wait(HOUR)
    await desk.wait(HOUR)
    assert sorted(row[1:] for row in dump(database_url)["gate_counts"]) == [
        ("", "schedule", 1),
        ("test.doorman", "refusal", 1),
    ]


async def test_refused_post_changes_in_nothing_that_readers_would_see(desk: Desk) -> None:
    client = await desk.site.client("author")
    await scheduled(client, "Bad news")
    before = await desk.post()
    await desk.wait(HOUR)
    after = await desk.post()
    assert {name for name in before if before[name] != after[name]} == {"status", "scheduled_at", "updated_at"}
    assert (await client.get("/posts/1/revisions")).data["items"] == []


async def test_refused_post_comes_out_when_it_is_mended_and_scheduled_anew(desk: Desk) -> None:
    client = await desk.site.client("author")
    await scheduled(client, "Bad news")
    await desk.wait(HOUR)
    await client.patch("/posts/1", json={"title": "Good news", "scheduled_at": "2026-01-15 14:00:00"})
    await desk.wait(HOUR)
    assert (await desk.post())["status"] == "published"


async def test_bad_posts_do_not_hold_up_good_ones(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    client = await desk.site.client("author")
    for number in range(200):
        await scheduled(client, f"{'Bad' if number % 2 else 'Good'} news {number}")
    await desk.wait(HOUR)
    await desk.wait(1)
    assert len(told(caplog, REFUSED)) == 100
    assert desk.witness.published == list(range(1, 201, 2))
    assert len(desk.doorman.asked) == 200


@pytest.mark.shows("state.due.crash")
async def test_rule_that_crashes_is_asked_again_after_1_5_and_15_minutes_before_the_post_is_pending(desk: Desk) -> None:
    client = await desk.site.client("author")
    await scheduled(client, "Odd news")
    await desk.wait(HOUR)
    for number, delay in enumerate((60, 300, 900), 1):
        assert len(desk.doorman.asked) == number
        await desk.wait(delay - 1)
        assert len(desk.doorman.asked) == number
        assert (await desk.post())["status"] == "scheduled"
        await desk.wait(1)
    assert len(desk.doorman.asked) == 4
    assert (await desk.post())["status"] == "pending"
    report = (await client.get("/posts/1/gate")).data
    assert (report["trigger"], [block["code"] for block in report["blocks"]]) == ("scheduler", ["test.doorman"])
    await desk.wait(HOUR)
    assert len(desk.doorman.asked) == 4


async def test_tries_are_logged_and_counted_when_the_post_is_given_up(
    desk: Desk, database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    await scheduled(await desk.site.client("author"), "Odd news")
    await desk.wait(HOUR)
    for delay in DELAYS:
        assert dump(database_url)["gate_counts"] == []
        await desk.wait(delay)
    assert len(told(caplog, "gate rule failed on a scheduled post, which is tried again")) == 3
    assert len(told(caplog, REFUSED)) == 1
    assert len(dump(database_url)["gate_counts"]) == 2


async def test_rule_that_refuses_beside_one_that_crashes_decides(desk: Desk) -> None:
    class Crashing(Doorman):
        code = "test.crashing"

        async def check(self, candidate: Candidate, db: Reader) -> NoReturn:
            raise ZeroDivisionError

    desk.site.host.gate = Gate([desk.doorman, Crashing()])
    await scheduled(await desk.site.client("author"), "Bad news")
    await desk.wait(HOUR)
    assert (await desk.post())["status"] == "pending"


async def test_post_comes_out_when_the_rule_works_again(desk: Desk, database_url: str) -> None:
    client = await desk.site.client("author")
    await scheduled(client, "Odd news")
    await desk.wait(HOUR)
    await client.patch("/posts/1", json={"title": "Good news"})
    await desk.wait(59)
    assert (await desk.post())["status"] == "scheduled"
    await desk.wait(1)
    assert (await desk.post())["published_at"] == "2026-01-15 13:01:00"
    assert dump(database_url)["post_schedules"] == []


async def test_new_time_begins_the_tries_anew(desk: Desk) -> None:
    client = await desk.site.client("author")
    await scheduled(client, "Odd news")
    await desk.wait(HOUR)
    await desk.wait(60)
    await client.post("/posts/1/schedule", json={"scheduled_at": "2026-01-15 13:02:00"})
    await desk.wait(60)
    assert len(desk.doorman.asked) == 3
    await desk.wait(60)
    assert len(desk.doorman.asked) == 4
    assert (await desk.post())["status"] == "scheduled"


async def test_observer_that_raises_stops_its_post_alone(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    client = await desk.site.client("author")
    for title in ("A first title", "Evil news", "A third title"):
        await scheduled(client, title)
    desk.witness.fails_on = "Evil"
    await desk.wait(HOUR)
    assert await desk.statuses() == {1: "published", 2: "scheduled", 3: "published"}
    (line,) = told(caplog, "scheduled post could not be published")
    assert (line.levelno, line.post_id, line.exc_info[0]) == (logging.ERROR, 2, RuntimeError)


async def test_error_is_nobodys_verdict_and_is_tried_again_ever_more_slowly(desk: Desk) -> None:
    await scheduled(await desk.site.client("author"), "Evil news")
    desk.witness.fails_on = "Evil"
    await desk.wait(HOUR)
    for number, delay in enumerate((60, 300, 900, 900, 900), 1):
        await desk.wait(delay - 1)
        assert len(desk.doorman.asked) == number
        await desk.wait(1)
    assert (await desk.post())["status"] == "scheduled"
    desk.witness.fails_on = "\0"
    await desk.wait(900)
    assert (await desk.post())["status"] == "published"
