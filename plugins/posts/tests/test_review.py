"""POST /posts/{id}/review, and `reviewed: true` in other writes."""

from cms_host.testing import Site, dump
from cms_posts.testing import NOTED, created

YMYL = {"editorial": {"ymyl": True, "sources": ["A reference work"]}}


async def test_review_stamps_the_time_and_satisfies_the_gate(site: Site) -> None:
    author, editor = await site.client("author"), await site.client("editor")
    await created(author, **YMYL)
    refused = await author.post("/posts/1/publish")
    assert [block["code"] for block in refused.json["blocks"]] == ["ymyl_no_reviewer"]
    answer = await editor.post("/posts/1/review")
    assert answer.status == 200
    assert answer.data["post"]["reviewed_at"] == "2026-01-15 12:00:00"
    assert (await author.post("/posts/1/publish")).status == 200


async def test_review_does_not_count_as_a_change_for_readers(site: Site) -> None:
    editor = await site.client("editor")
    before = await created(editor)
    site.clock.advance(60)
    after = (await editor.post("/posts/1/review")).data["post"]
    assert after["content_modified_at"] == before["content_modified_at"]
    assert after["updated_at"] == "2026-01-15 12:01:00"


async def test_review_is_over_when_readers_would_see_something_else(site: Site) -> None:
    editor = await site.client("editor")
    await created(editor, **YMYL)
    await editor.post("/posts/1/review")
    await editor.patch("/posts/1", json={"title": "Quite another title"})
    refused = await editor.post("/posts/1/publish")
    assert [block["code"] for block in refused.json["blocks"]] == ["ymyl_no_reviewer"]
    await editor.patch("/posts/1", json={"reviewed": True})
    assert (await editor.post("/posts/1/publish")).status == 200


async def test_review_by_an_author_is_refused(site: Site) -> None:
    author = await site.client("author")
    await created(author)
    answer = await author.post("/posts/1/review")
    assert (answer.status, answer.error["message"]) == (403, "Insufficient role for this operation")
    await author.patch("/posts/1", json={"reviewed": True})
    assert (await author.get("/posts/1")).data["reviewed_at"] is None


async def test_review_of_a_published_post_still_passes_the_gate(site: Site, database_url: str) -> None:
    editor = await site.client("editor")
    await created(editor, status="published")
    await site.set(**{"gate.short_title.minimum": 100})
    before = dump(database_url, NOTED)
    answer = await editor.post("/posts/1/review")
    assert [block["code"] for block in answer.json["blocks"]] == ["short_title"]
    assert dump(database_url, NOTED) == before


async def test_review_valid_tells_whether_the_approved_content_is_shown(site: Site) -> None:
    editor = await site.client("editor")
    assert (await created(editor))["review_valid"] is None
    await editor.post("/posts/1/publish")
    assert (await editor.get("/posts/1")).data["review_valid"] is True
    changed = await editor.patch("/posts/1", json={"status": "draft", "title": "Changed since it was approved"})
    assert changed.data["post"]["review_valid"] is False
