"""Schedule, review, check, and writes that expect what they found (contract 4 and 10)."""

import pytest
from sqlalchemy import select

from cms_host.api import Query
from cms_host.testing import Client, Site, dump
from cms_posts.tables import posts
from cms_posts.testing import article, created

FUTURE = "2026-06-01 09:30:00"
SHORT = {"title": "Short", "content": "<p>Short.</p>"}


@pytest.mark.parametrize("status", ["draft", "pending", "published", "trash", "scheduled"])
@pytest.mark.shows("posts.schedule", "state.schedule", "posts.written", "post.scheduled_at")
async def test_schedule_leads_from_every_state_and_asks_no_gate(site: Site, author: Client, status: str) -> None:
    await site.set(**{"gate.short_title.minimum": 0, "gate.short_content.minimum": 0})
    await created(author, **SHORT, status=status, **({"scheduled_at": "2026-05-01"} if status == "scheduled" else {}))
    await site.set(**{"gate.short_title.minimum": 10, "gate.short_content.minimum": 1500})
    answer = await author.post("/posts/1/schedule", json={"scheduled_at": FUTURE})

    assert (answer.status, answer.data.keys()) == (200, {"success", "id", "post", "warnings"})
    assert (answer.data["post"]["status"], answer.data["post"]["scheduled_at"]) == ("scheduled", FUTURE)
    assert (await author.get("/posts/1")).data == answer.data["post"]


@pytest.mark.shows("posts.schedule", "body.scheduled_at.future", "errors.422.scheduled_at", "errors.400.missing")
async def test_schedule_needs_a_time_to_come(author: Client) -> None:
    before = await created(author)
    for body, status in (
        ({}, 400),
        ({"scheduled_at": None}, 400),
        ({"scheduled_at": 5}, 400),
        ({"scheduled_at": ""}, 422),
        ({"scheduled_at": "soon"}, 422),
        ({"scheduled_at": "2026-01-15 12:00:00"}, 422),
        ({"scheduled_at": "2020-01-01"}, 422),
    ):
        answer = await author.post("/posts/1/schedule", json=body)

        assert (answer.status, answer.error["errors"][0]["field"]) == (status, "scheduled_at")
        assert (await author.get("/posts/1")).data == before


@pytest.mark.shows("posts.review", "post.reviewed_at", "time.reviewed", "gate.ymyl_no_reviewer")
async def test_review_vouches_for_what_is_there_now(site: Site, author: Client, editor: Client) -> None:
    await created(author, editorial={"ymyl": True, "sources": ["A study"]})
    site.clock.advance(60)
    answer = await editor.post("/posts/1/review")
    assert (answer.status, answer.data.keys()) == (200, {"success", "id", "post", "warnings"})
    assert answer.data["post"]["reviewed_at"] == "2026-01-15 12:01:00"
    assert answer.data["post"]["status"] == "draft"
    assert (await author.post("/posts/1/publish")).status == 200
    refused = await author.patch("/posts/1", json={"title": "A title that nobody has reviewed"})
    assert [block["code"] for block in refused.json["blocks"]] == ["ymyl_no_reviewer"]
    site.clock.advance(60)
    assert (await editor.post("/posts/1/review")).data["post"]["reviewed_at"] == "2026-01-15 12:02:00"
    reviewer = (await created(editor))["author_id"]
    kept = select(posts.c.reviewed_by, posts.c.reviewed_hash == posts.c.content_hash).where(posts.c.id == 1)
    assert [tuple(row) for row in await site.host.db.all(Query(kept))] == [(reviewer, True)]


@pytest.mark.shows("posts.review", "errors.403.role", "role.insufficient")
async def test_review_is_for_editors(author: Client, subscriber: Client) -> None:
    await created(author, status="published")
    for client in (author, subscriber):
        answer = await client.post("/posts/1/review")
        assert (answer.status, answer.error["message"]) == (403, "Insufficient role for this operation")
    assert (await author.get("/posts/1")).data["reviewed_at"] is None


@pytest.mark.shows("posts.check", "gate.check.detail")
async def test_check_tells_what_the_gate_would_say_and_writes_nothing(author: Client, database_url: str) -> None:
    await created(author, **SHORT, featured_image="")
    before = dump(database_url)
    answer = await author.post("/posts/1/check")

    assert (answer.status, answer.data.keys()) == (200, {"passes", "blocks", "warnings"})
    assert answer.data["passes"] is False
    found = {each["code"]: each for each in (*answer.data["blocks"], *answer.data["warnings"])}
    assert [each["code"] for each in answer.data["blocks"]] == ["short_content", "short_title"]
    assert {each["code"] for each in answer.data["warnings"]} == {
        "missing_cover",
        "missing_h2",
        "missing_internal_links",
    }
    for each in found.values():
        assert each.keys() == {"code", "message_tr", "message_en", "detail"}
        assert each["detail"].keys() <= {"measured", "required", "related_ids", "field"}
    assert {name: found["short_title"]["detail"][name] for name in ("measured", "required", "field")} == {
        "measured": 5, "required": 10, "field": "title",
    }  # fmt: skip
    assert found["short_content"]["detail"]["field"] == "content"
    assert dump(database_url) == before


@pytest.mark.shows("posts.check")
async def test_check_of_a_good_post_passes_and_publishes_nothing(author: Client) -> None:
    await created(author)
    assert (await author.post("/posts/1/check")).data == {"passes": True, "blocks": [], "warnings": []}
    assert (await author.get("/posts/1")).data["status"] == "draft"


@pytest.mark.shows("gate.check", "gate.check.detail")
async def test_check_of_a_body_that_is_not_saved(author: Client, database_url: str) -> None:
    before = dump(database_url)
    bad = await author.post("/posts/check", json=article(title="Short", content="<p>Short.</p>"))
    good = await author.post("/posts/check", json=article())

    assert (bad.status, good.status) == (200, 200)
    assert (bad.data["passes"], [each["code"] for each in bad.data["blocks"]]) == (
        False,
        ["short_content", "short_title"],
    )
    assert bad.data["blocks"][1]["detail"]["required"] == 10
    assert (good.data["passes"], good.data["blocks"]) == (True, [])
    assert (await author.post("/posts/check", json={})).status == 400
    assert dump(database_url) == before


@pytest.mark.shows("role.sees.inside", "role.own")
async def test_checks_are_for_those_who_may_edit(
    site: Site, author: Client, subscriber: Client, editor: Client
) -> None:
    await created(author, status="published")
    other = await site.client("author", "other")
    assert [(await client.post("/posts/1/check")).status for client in (author, editor, other, subscriber)] == [
        200, 200, 403, 403,
    ]  # fmt: skip
    await author.patch("/posts/1", json={"status": "draft"})
    assert (await other.post("/posts/1/check")).status == 404


@pytest.mark.shows("posts.conflict")
async def test_a_write_that_expects_another_state_is_409_and_writes_nothing(site: Site, author: Client) -> None:
    seen = (await created(author))["content_modified_at"]
    site.clock.advance(60)
    mine = {"title": "Mine", "expected_content_modified_at": seen}
    first = await author.patch("/posts/1", json=mine)
    assert first.status == 200
    after = (await author.get("/posts/1")).data
    for body in ({**mine, "title": "Yours"}, {"status": "pending", "expected_content_modified_at": seen}):
        answer = await author.put("/posts/1", json=body)
        assert (answer.status, answer.error["code"]) == (409, 409)
        assert (await author.get("/posts/1")).data == after
    assert (await author.patch("/posts/1", json={"title": "The last writer wins"})).status == 200


@pytest.mark.shows("posts.conflict")
async def test_an_expected_moment_may_come_in_another_zone(site: Site, author: Client) -> None:
    await created(author)
    body = {"title": "Mine", "expected_content_modified_at": "2026-01-15T15:00:00.000000+03:00"}

    assert (await author.patch("/posts/1", json=body)).status == 200
    assert (await author.patch("/posts/1", json={**body, "expected_content_modified_at": "soon"})).status == 422
