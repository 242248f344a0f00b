"""From state to state, by a request (spec, Post status values)."""

import pytest

from cms_host.testing import Client, Site, dump
from cms_posts.testing import NOTED, article, created

SHORT = {"title": "Short", "content": "<p>Short.</p>"}
STATUSES = ("published", "draft", "scheduled", "pending", "trash")
FUTURE = "2026-06-01 09:30:00"


@pytest.mark.shows("state.new.draft", "body.status", "gate.skip")
async def test_a_post_without_a_status_is_a_draft_that_no_gate_saw(author: Client) -> None:
    answer = await author.post("/posts", json=SHORT)

    assert (answer.status, answer.data["post"]["status"], answer.data["warnings"]) == (201, "draft", [])


@pytest.mark.parametrize("status", ["draft", "pending", "trash"])
@pytest.mark.shows("state.new.status", "gate.skip", "state.pending.set")
async def test_a_post_with_another_status_than_published_meets_no_gate(author: Client, status: str) -> None:
    assert (await author.post("/posts", json={**SHORT, "status": status})).data["post"]["status"] == status
    assert (await author.patch("/posts/1", json={"title": "y"})).status == 200


@pytest.mark.shows("state.new.published", "state.new.refused", "gate.nothing", "gate.first")
async def test_a_post_that_is_created_as_published_passes_the_gate_or_is_not_written(
    author: Client, database_url: str
) -> None:
    before = dump(database_url, NOTED)
    assert (await author.post("/posts", json={**SHORT, "status": "published"})).status == 422
    assert dump(database_url, NOTED) == before
    answer = await author.post("/posts", json=article(status="published"))
    assert (answer.status, answer.data["post"]["status"]) == (201, "published")


@pytest.mark.shows("state.new.scheduled", "state.values.scheduled", "body.scheduled_at", "gate.skip", "post.status")
async def test_a_time_schedules_whatever_the_status_says(author: Client) -> None:
    for number, status in enumerate(STATUSES, 1):
        answer = await author.post("/posts", json={**SHORT, "status": status, "scheduled_at": FUTURE})
        assert (answer.status, answer.data["post"]["status"], answer.data["id"]) == (201, "scheduled", number)
    answer = await author.post("/posts", json={**SHORT, "scheduled_at": FUTURE})
    assert (answer.data["post"]["status"], answer.data["post"]["scheduled_at"]) == ("scheduled", FUTURE)
    assert (await author.get("/posts?status=scheduled")).data["total"] == 6


@pytest.mark.shows("body.scheduled_at.status", "body.scheduled_at.future", "errors.422.scheduled_at")
async def test_scheduled_needs_a_time_to_come_sent_or_stored(site: Site, author: Client) -> None:
    for change in ({"status": "scheduled"}, {"scheduled_at": "2026-01-15 12:00:00"}, {"scheduled_at": "2025-01-01"}):
        answer = await author.post("/posts", json=article(**change))
        assert (answer.status, answer.error["errors"][0]["field"]) == (422, "scheduled_at")
    await created(author, scheduled_at=FUTURE)
    await author.patch("/posts/1", json={"status": "draft"})
    assert (await author.patch("/posts/1", json={"status": "scheduled"})).data["post"]["scheduled_at"] == FUTURE
    await author.patch("/posts/1", json={"status": "draft"})
    site.clock.advance(366 * 86_400)
    assert (await author.patch("/posts/1", json={"status": "scheduled"})).status == 422
    assert (await author.get("/posts/1")).data["status"] == "draft"


@pytest.mark.parametrize("status", ["draft", "pending", "scheduled", "trash"])
@pytest.mark.shows("state.publish", "state.publish.trash", "posts.publish", "state.publish.refused", "gate.nothing")
async def test_publish_leads_from_every_state_through_the_gate(author: Client, database_url: str, status: str) -> None:
    time = {"scheduled_at": FUTURE} if status == "scheduled" else {}
    for body in (article(), SHORT):
        assert (await author.post("/posts", json={**body, "status": status, **time})).data["post"]["status"] == status
    answer = await author.post("/posts/1/publish")
    assert (answer.status, answer.data["post"]["status"], answer.data["success"]) == (200, "published", True)
    assert answer.data["post"]["scheduled_at"] is None
    before = dump(database_url)["posts"]
    assert (await author.post("/posts/2/publish")).status == 422
    assert dump(database_url)["posts"] == before
    assert (await author.get("/posts/2")).data["status"] == status


@pytest.mark.shows("state.publish.again")
async def test_publishing_again_is_200_and_runs_the_gate(site: Site, author: Client) -> None:
    await created(author, status="published")
    assert (await author.post("/posts/1/publish")).status == 200
    await site.set(**{"gate.short_title.minimum": 100})
    assert (await author.post("/posts/1/publish")).status == 422
    assert (await author.get("/posts/1")).data["status"] == "published"


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
@pytest.mark.shows("state.update.published", "state.update.refused", "gate.first", "gate.nothing", "errors.422.gate")
async def test_an_update_that_ends_in_published_passes_the_gate_or_writes_nothing(
    author: Client, database_url: str, method: str
) -> None:
    await created(author, **SHORT)
    await created(author, status="published")
    before = dump(database_url)["posts"]
    for path, body in (
        ("/posts/1", {"status": "published"}),
        ("/posts/2", {"title": "Short"}),
        ("/posts/2", {"status": "published", "content": "<p>Short.</p>"}),
    ):
        answer = await author.request(method, path, json=body)
        assert (answer.status, answer.json["error"]) == (422, "quality_gate")
        assert dump(database_url)["posts"] == before
    answer = await author.request(method, "/posts/1", json=article(status="published"))
    assert (answer.status, answer.data["post"]["status"]) == (200, "published")


@pytest.mark.shows("state.update", "state.values.draft", "gate.skip")
async def test_what_leaves_published_meets_no_gate(author: Client) -> None:
    for status in ("draft", "pending", "trash"):
        record = await created(author, status="published")
        answer = await author.patch(f"/posts/{record['id']}", json={**SHORT, "status": status})
        assert (answer.status, answer.data["post"]["status"]) == (200, status)


@pytest.mark.shows("state.delete.trash", "state.delete.again", "posts.delete", "state.values.trash")
async def test_delete_trashes_and_again_changes_nothing(author: Client) -> None:
    record = await created(author)
    for _ in range(2):
        answer = await author.delete("/posts/1")
        assert (answer.status, answer.data) == (200, {"success": True})
        kept = (await author.get("/posts/1")).data
        assert (kept["status"], kept["content"], kept["slug"]) == ("trash", record["content"], record["slug"])


@pytest.mark.parametrize("change", ["delete", "force", "draft", "private"])
@pytest.mark.shows("state.delete.gone")
async def test_what_is_withdrawn_is_gone_for_readers_at_the_next_request(
    author: Client, subscriber: Client, change: str
) -> None:
    await created(author, status="published")
    assert [(await subscriber.get(path)).status for path in ("/posts/1", "/posts")] == [200, 200]
    assert (await subscriber.get("/posts")).data["total"] == 1
    if change in ("delete", "force"):
        await author.delete("/posts/1", json={"force": change == "force"})
    else:
        body = {"status": "draft"} if change == "draft" else {"visibility": "private"}
        assert (await author.patch("/posts/1", json=body)).status == 200
    assert (await subscriber.get("/posts/1")).status == 404
    assert (await subscriber.get("/posts")).data["total"] == 0


@pytest.mark.parametrize("status", ["published", "draft", "trash"])
@pytest.mark.shows("state.delete.force", "posts.delete")
async def test_delete_with_force_leaves_nothing(author: Client, status: str) -> None:
    await created(author, status=status)
    assert (await author.delete("/posts/1", json={"force": True})).data == {"success": True}
    assert [(await author.get("/posts/1")).status, (await author.delete("/posts/1")).status] == [404, 404]
    assert [(await author.get(f"/posts?status={each}")).data["total"] for each in STATUSES] == [0] * 5


@pytest.mark.shows("body.force")
async def test_force_of_another_type_is_refused_and_deletes_nothing(author: Client) -> None:
    await created(author)
    for force in (
        "true",
        1,
        None,
        "yes",
        [True],
    ):
        answer = await author.delete("/posts/1", json={"force": force})

        assert (answer.status, answer.error["errors"][0]["field"]) == (400, "force")
        assert (await author.get("/posts/1")).data["status"] == "draft"


@pytest.mark.parametrize("status", ["draft", "pending", "published"])
@pytest.mark.shows("state.restore")
async def test_a_status_brings_a_post_back_from_the_trash(author: Client, status: str) -> None:
    await created(author)
    await author.delete("/posts/1")
    answer = await author.put("/posts/1", json={"status": status})

    assert (answer.status, answer.data["post"]["status"]) == (200, status)
    assert [each["id"] for each in (await author.get("/posts")).data["items"]] == [1]


@pytest.mark.parametrize("status", ["draft", "published", "trash"])
@pytest.mark.shows("state.pending.set", "state.pending.left", "state.values.pending")
async def test_pending_is_entered_and_left_by_a_status(author: Client, status: str) -> None:
    await created(author)
    assert (await author.patch("/posts/1", json={"status": "pending"})).data["post"]["status"] == "pending"
    assert (await author.patch("/posts/1", json={"status": status})).data["post"]["status"] == status


@pytest.mark.shows("errors.422.status", "post.status")
async def test_another_status_is_422(author: Client) -> None:
    await created(author)
    for status in (
        "live",
        "",
        "Draft",
        "deleted",
    ):
        for answer in (
            await author.post("/posts", json=article(status=status)),
            await author.patch("/posts/1", json={"status": status}),
            await author.get("/posts", params={"status": status or "live"}),
        ):
            assert (answer.status, answer.error["errors"][0]["field"]) == (422, "status")
