"""What happens to a scheduled post at its time: once, in order, and for nobody."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from cms_host.testing import Client, MakeSite, Site, dump

from .scheduling import DUE, HOUR, JOB, Desk, open_desk, scheduled

Act = Callable[[Client], Awaitable[object]]


@pytest.fixture
async def desk(make_site: MakeSite) -> Desk:
    return await open_desk(make_site)


@pytest.mark.shows("state.due.before")
async def test_post_is_published_when_it_is_due_and_not_before(desk: Desk) -> None:
    await scheduled(await desk.site.client("author"))
    await desk.wait(HOUR - 1)
    assert (await desk.post())["status"] == "scheduled"
    assert desk.doorman.asked == []
    await desk.wait(1)
    assert (await desk.post())["status"] == "published"


@pytest.mark.shows("time.published.real")
async def test_published_at_is_when_it_really_went_out(desk: Desk) -> None:
    await scheduled(await desk.site.client("author"))
    await desk.wait(HOUR + 90)
    record = await desk.post()
    assert (record["published_at"], record["updated_at"]) == ("2026-01-15 13:01:30", "2026-01-15 13:01:30")
    assert (record["scheduled_at"], record["review_valid"]) == (None, True)


@pytest.mark.shows("others.settings.next")
async def test_host_that_nobody_asks_anything_goes_by_the_settings_of_this_moment(make_site: MakeSite) -> None:
    site, idle = await make_site(), await make_site()
    client = await site.client("author")
    await scheduled(client)
    await (await site.client("admin")).put("/settings/gate.short_title.minimum", json={"value": 100})
    site.clock.advance(HOUR)
    await idle.run_job(JOB)

    assert [each["code"] for each in (await client.get("/posts/1/gate")).data["blocks"]] == ["short_title"]
    assert (await client.get("/posts/1")).data["status"] == "pending"


async def test_published_at_of_a_post_that_was_out_before_stays(desk: Desk) -> None:
    client = await desk.site.client("author")
    await scheduled(client)
    await client.post("/posts/1/publish")
    await client.post("/posts/1/schedule", json={"scheduled_at": DUE})
    await desk.wait(HOUR)
    record = await desk.post()
    assert (record["status"], record["published_at"]) == ("published", "2026-01-15 12:00:00")


@pytest.mark.shows("state.due")
async def test_gate_is_asked_at_the_time_and_its_report_kept(site: Site) -> None:
    client = await site.client("author")
    await scheduled(client)
    site.clock.advance(HOUR)
    await site.run_job(JOB)
    kept = await client.get("/posts/1/gate")
    assert kept.data["ran_at"] == DUE
    assert (kept.data["trigger"], kept.data["passes"], kept.data["blocks"]) == ("scheduler", True, [])
    assert (await client.get("/posts/1")).data["status"] == "published"


async def test_rules_see_that_the_scheduler_asks_and_when_the_post_was_due(desk: Desk) -> None:
    await scheduled(await desk.site.client("author"))
    await desk.wait(HOUR + 5)
    (candidate,) = desk.doorman.asked
    assert (candidate.trigger, candidate.post_id) == ("scheduler", 1)
    assert candidate.due_at == desk.site.clock.now() - 5_000_000


async def test_publish_changes_nothing_that_readers_see_and_makes_no_revision(desk: Desk) -> None:
    client = await desk.site.client("author")
    await scheduled(client)
    before = await desk.post()
    await desk.wait(HOUR)
    after = await desk.post()
    assert {name for name in before if before[name] != after[name]} == {
        "status", "scheduled_at", "published_at", "updated_at", "review_valid",
    }  # fmt: skip
    assert (await client.get("/posts/1/revisions")).data["items"] == []


async def test_oldest_come_first(desk: Desk) -> None:
    client = await desk.site.client("author")
    for minute in (30, 10, 20, 10, 40):
        await scheduled(client, f"Title {minute}", f"2026-01-15 12:{minute}:00")
    await desk.wait(HOUR)
    assert desk.witness.published == [2, 4, 3, 1, 5]


async def test_next_look_has_nothing_to_do(desk: Desk, database_url: str) -> None:
    await scheduled(await desk.site.client("author"))
    await desk.wait(HOUR)
    before = dump(database_url)
    await desk.wait(HOUR)
    assert dump(database_url) == before
    assert before["post_schedules"] == []
    assert desk.witness.published == [1]


@pytest.mark.shows("state.due.missed")
async def test_what_was_missed_while_the_service_was_down_comes_at_the_start(make_site: MakeSite) -> None:
    desk = await open_desk(make_site)
    await scheduled(await desk.site.client("author"))
    desk.site.clock.advance(HOUR * 48)
    again = await make_site(jobs=True)
    reader = await again.client("subscriber")
    async with asyncio.timeout(30):
        while (await reader.get("/posts/1")).status == 404:
            await asyncio.sleep(0.01)
    assert (await reader.get("/posts/1")).data["published_at"] == "2026-01-17 12:00:00"


async def unschedule(client: Client) -> None:
    await client.patch("/posts/1", json={"status": "draft"})


async def reschedule(client: Client) -> None:
    await client.post("/posts/1/schedule", json={"scheduled_at": "2026-01-15 15:00:00"})


async def trash(client: Client) -> None:
    await client.delete("/posts/1")


async def publish(client: Client) -> None:
    await client.post("/posts/1/publish")


@pytest.mark.parametrize(
    ("act", "status", "published"),
    [(unschedule, "draft", []), (reschedule, "scheduled", []), (trash, "trash", []), (publish, "published", [1])],
)
async def test_what_an_editor_does_at_the_last_moment_wins(
    desk: Desk, act: Act, status: str, published: list[int]
) -> None:
    editor = await desk.site.client("editor")
    await scheduled(editor)
    desk.doorman.meanwhile = lambda: act(editor)
    await desk.wait(HOUR)
    assert ((await desk.post())["status"], desk.witness.published) == (status, published)


async def test_post_that_is_deleted_at_the_last_moment_is_gone(desk: Desk, database_url: str) -> None:
    editor = await desk.site.client("editor")
    await scheduled(editor)
    await scheduled(editor, "Another title")
    desk.doorman.meanwhile = lambda: editor.delete("/posts/1", json={"force": True})
    await desk.wait(HOUR)
    assert await desk.statuses() == {2: "published"}
    assert dump(database_url)["post_schedules"] == []


async def test_rescheduled_post_comes_at_its_new_time(desk: Desk) -> None:
    editor = await desk.site.client("editor")
    await scheduled(editor)
    desk.doorman.meanwhile = lambda: reschedule(editor)
    await desk.wait(HOUR)
    await desk.wait(HOUR * 2 - 1)
    assert desk.witness.published == []
    await desk.wait(1)
    assert desk.witness.published == [1]


async def test_content_that_is_changed_at_the_last_moment_is_what_the_gate_judges(desk: Desk) -> None:
    editor = await desk.site.client("editor")
    await scheduled(editor)
    desk.doorman.meanwhile = lambda: editor.patch("/posts/1", json={"title": "Bad news"})
    await desk.wait(HOUR)
    assert [candidate.title for candidate in desk.doorman.asked] == ["Bad news"]
    assert (await desk.post())["status"] == "pending"
