"""The site's figures, and views that are counted (spec, Statistics, Timestamp rules; contract 4, 5, 8 and 10)."""

from collections.abc import Mapping
from typing import Any

import pytest

from cms_host.testing import Client, FakeClock, MakeSite, Site, dump, serving
from cms_posts.testing import article, created, publish, refusal, unlike

FLUSH = "stats.views"
SHAPE = {
    "posts": {"total", "published", "draft", "scheduled", "pending", "trash"},
    "pages": {"total", "published", "draft", "scheduled", "pending", "trash"},
    "comments": {"total", "pending", "approved", "spam", "trash"},
    "media": {"total", "bytes"},
    "views": {"total", "today", "last_7_days", "last_30_days", "daily"},
    "gate": {"refusals", "shadow", "schedule_refusals"},
}


async def view(client: Client, views: Mapping[int, int], **options: Any) -> None:
    items = [{"post_id": post_id, "count": n} for post_id, n in views.items()]
    answer = await client.post("/stats/views", json={"items": items}, **options)
    assert (answer.status, answer.data["warnings"]) == (200, []), answer.text


@pytest.mark.shows("others.stats", "others.stats.shape")
async def test_stats_have_the_numbers_of_everything_there_is(editor: Client, subscriber: Client) -> None:
    for number, status in enumerate(("published", "draft", "draft", "pending", "trash")):
        await created(editor, title=unlike(number), status=status, tags=["Deniz", f"Tag {number}"])
    await created(editor, scheduled_at="2026-12-31 09:00:00")
    await created(editor, title=unlike("page"), type="page", status="published")
    await editor.post("/categories", json={"name": "Harbour"})
    await editor.delete("/posts/3", json={"force": True})
    data = (await subscriber.get("/stats")).data

    assert data.keys() == {*SHAPE, "users", "categories", "tags", "generated_at"}
    assert {name: {*data[name]} for name in SHAPE} == SHAPE
    assert data["posts"] == {"total": 5, "published": 1, "draft": 1, "scheduled": 1, "pending": 1, "trash": 1}
    assert data["pages"] == {"total": 1, "published": 1, "draft": 0, "scheduled": 0, "pending": 0, "trash": 0}
    assert (data["users"], data["categories"], data["tags"]) == (2, 1, 6)
    assert data["generated_at"] == "2026-01-15 12:00:00"


@pytest.mark.shows("time.updated.views", "others.stats.views", "list.order_by.view_count")
async def test_views_move_the_counter_and_the_last_touch_and_nothing_else(
    site: Site, editor: Client, subscriber: Client, database_url: str
) -> None:
    before = [await created(editor, title=unlike(number), status="published") for number in range(3)]
    for client in (subscriber, await site.client("author")):
        assert (await client.post("/stats/views", json={"items": [{"post_id": 1, "count": 1}]})).status == 403
    stored = dump(database_url, without=["posts.updated_at", "posts.view_count"])["posts"]
    site.clock.advance(60)
    await view(editor, {1: 2, 2: 7})
    await view(editor, {1: 1})
    await site.run_job(FLUSH)

    touched = {"updated_at": "2026-01-15 12:01:00"}
    expected = [{**before[0], "view_count": 3, **touched}, {**before[1], "view_count": 7, **touched}, before[2]]
    assert [(await editor.get(f"/posts/{number}")).data for number in (1, 2, 3)] == expected
    assert dump(database_url, without=["posts.updated_at", "posts.view_count"])["posts"] == stored
    for order, found in (("view_count", [2, 1, 3]), ("updated_at", [2, 1, 3])):
        listed = (await subscriber.get(f"/posts?order_by={order}")).data["items"]
        assert [each["id"] for each in listed] == found


@pytest.mark.shows("others.stats.views.minute", "idempotency.every-post")
async def test_views_show_after_a_minute_or_a_stop_and_count_once(
    clock: FakeClock, database_url: str, make_site: MakeSite
) -> None:
    site = await make_site()
    editor = await site.client("editor")
    assert site.host.jobs.named(FLUSH).every <= 60
    await created(editor)
    async with serving(clock, database_url=database_url, workers=site.host.workers, jobs=True) as stopping:
        await view(Client(stopping, editor.key), {1: 4})
        assert (await editor.get("/stats")).data["views"]["total"] == 0
    for _ in range(2):
        await view(editor, {1: 10}, headers={"Idempotency-Key": "ten-views"})
    await view(editor, {1: 100})
    await site.run_job(FLUSH)
    await site.run_job(FLUSH)

    views = (await editor.get("/stats")).data["views"]
    assert (views["total"], views["today"], views["daily"][-1]) == (114, 114, {"date": "2026-01-15", "views": 114})
    assert (await editor.get("/posts/1")).data["view_count"] == 114


@pytest.mark.shows("others.stats.gate", "state.due.stats", "gate.counted")
async def test_refusals_are_in_the_statistics_for_thirty_days(site: Site, author: Client) -> None:
    await site.set(**{"gate.missing_cover.mode": "shadow", "gate.short_content.mode": "shadow"})
    assert refusal(await publish(author, title="Short", content="<p>x</p>")) == ["short_title"]
    assert refusal(await publish(author, title="Short")) == ["short_title"]
    await author.post("/posts", json=article(title="Short", scheduled_at="2026-01-15 13:00:00"))
    site.clock.advance(3600)
    await site.run_job("posts.scheduler")
    expected = {"refusals": {"short_title": 3}, "shadow": {"short_content": 1}, "schedule_refusals": 1}
    assert (await author.get("/stats")).data["gate"] == expected

    site.clock.advance(29 * 86_400)
    assert (await author.get("/stats")).data["gate"] == expected
    site.clock.advance(86_400)
    assert (await author.get("/stats")).data["gate"] == {"refusals": {}, "shadow": {}, "schedule_refusals": 0}
