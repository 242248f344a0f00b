"""POST /posts/{id}/check and POST /posts/check: the gate, and nothing written."""

from cms_host.testing import Site, dump
from cms_posts.testing import article, created


async def test_check_reports_everything_with_what_was_measured(site: Site, database_url: str) -> None:
    client = await site.client("author")
    await created(client, title="Short", content="<p>Short.</p>", featured_image="")
    before = dump(database_url)
    answer = await client.post("/posts/1/check")
    assert answer.status == 200
    assert answer.data["passes"] is False
    assert [block["code"] for block in answer.data["blocks"]] == ["short_content", "short_title"]
    assert answer.data["blocks"][1]["detail"] == {"field": "title", "measured": 5, "required": 10, "related_ids": []}
    assert "missing_cover" in [each["code"] for each in answer.data["warnings"]]
    assert dump(database_url) == before


async def test_check_says_what_publish_would_say(site: Site) -> None:
    client = await site.client("author")
    await created(client)
    assert (await client.post("/posts/1/check")).data == {"passes": True, "blocks": [], "warnings": []}
    assert (await client.post("/posts/1/publish")).status == 200
    assert (await client.post("/posts/1/check")).data["passes"] is True


async def test_check_is_for_those_who_may_edit_the_post(site: Site) -> None:
    await created(await site.client("author"), status="published")
    other, reader = await site.client("author", "other"), await site.client("subscriber")
    assert (await other.post("/posts/1/check")).error["message"] == "You can only modify your own content"
    assert (await reader.post("/posts/1/check")).error["message"] == "Insufficient role for this operation"
    assert (await other.post("/posts/2/check")).status == 404


async def test_check_of_an_unsaved_body_stores_nothing(site: Site, database_url: str) -> None:
    client = await site.client("editor")
    before = dump(database_url)
    answer = await client.post("/posts/check", json=article())
    assert (answer.status, answer.data["passes"]) == (200, True)
    ymyl = article(title="Short", editorial={"ymyl": True}, tags=["new"])
    codes = [block["code"] for block in (await client.post("/posts/check", json=ymyl)).data["blocks"]]
    assert codes == ["short_title", "ymyl_no_reviewer", "ymyl_no_sources"]
    reviewed = {**ymyl, "reviewed": True}
    codes = [block["code"] for block in (await client.post("/posts/check", json=reviewed)).data["blocks"]]
    assert codes == ["short_title", "ymyl_no_sources"]
    assert (await client.post("/posts/check", json={"title": "x"})).status == 400
    assert dump(database_url) == before
