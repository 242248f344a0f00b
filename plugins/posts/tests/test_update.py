"""PUT and PATCH /posts/{id}."""

import pytest

from cms_host.testing import Site, dump
from cms_posts.testing import CONTENT, NOTED, created


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
async def test_update_changes_only_what_is_sent(site: Site, method: str) -> None:
    client = await site.client("author")
    before = await created(client)
    site.clock.advance(60)
    answer = await client.request(method, "/posts/1", json={"title": "Another title"})
    assert answer.status == 200
    moved = {"updated_at": "2026-01-15 12:01:00", "content_modified_at": "2026-01-15T12:01:00.000000+00:00"}
    assert answer.data["post"] == {**before, "title": "Another title", **moved}
    assert (await client.get("/posts/1")).data == answer.data["post"]


async def test_update_that_changes_nothing_writes_nothing(site: Site, database_url: str) -> None:
    client = await site.client("author")
    record = await created(client, status="published")
    before = dump(database_url, NOTED)
    site.clock.advance(60)
    same = {name: record[name] for name in ("title", "content", "excerpt", "slug", "featured_image", "status")}
    answer = await client.patch("/posts/1", json=same)
    assert answer.status == 200
    assert answer.data["post"] == record
    assert dump(database_url, NOTED) == before


async def test_update_twice_in_one_moment_still_moves_content_modified_at(site: Site) -> None:
    client = await site.client("author")
    await created(client)
    stamps = [
        (await client.patch("/posts/1", json={"title": f"Title {n}"})).data["post"]["content_modified_at"]
        for n in range(3)
    ]
    assert sorted(set(stamps)) == stamps


async def test_update_of_a_published_post_runs_the_gate_and_a_refusal_writes_nothing(
    site: Site, database_url: str
) -> None:
    client = await site.client("author")
    await created(client, status="published")
    before = dump(database_url, NOTED)
    answer = await client.patch("/posts/1", json={"content": "<p>Too short now.</p>"})
    assert answer.status == 422
    assert answer.json["error"] == "quality_gate"
    assert [block["code"] for block in answer.json["blocks"]] == ["short_content"]
    assert dump(database_url, NOTED) == before


async def test_update_to_published_runs_the_gate(site: Site) -> None:
    client = await site.client("author")
    await created(client, title="Short")
    assert (await client.put("/posts/1", json={"status": "published"})).json["error"] == "quality_gate"
    answer = await client.put("/posts/1", json={"status": "published", "title": "Long enough a title"})
    assert answer.data["post"]["status"] == "published"


async def test_update_of_a_draft_skips_the_gate(site: Site) -> None:
    client = await site.client("author")
    await created(client)
    answer = await client.patch("/posts/1", json={"title": "x", "content": "<p>y</p>"})
    assert answer.status == 200


@pytest.mark.parametrize("body", [{"title": ""}, {"content": " "}, {"title": 5}, {"editorial": []}, {"slug": 1}])
async def test_update_refuses_fields_of_the_wrong_kind(site: Site, body: dict[str, object]) -> None:
    client = await site.client("author")
    await created(client)
    answer = await client.patch("/posts/1", json=body)
    assert answer.status == 400
    assert answer.error["errors"][0]["field"] == next(iter(body))


async def test_update_of_anothers_post_is_refused_before_its_body_is_read(site: Site) -> None:
    await created(await site.client("author"), status="published")
    other = await site.client("author", "other")
    answer = await other.patch("/posts/1", data=b"{", headers={"Content-Type": "application/json"})
    assert (answer.status, answer.error["message"]) == (403, "You can only modify your own content")


async def test_update_of_what_cannot_be_seen_is_404(site: Site) -> None:
    await created(await site.client("author"))
    assert (await (await site.client("author", "other")).patch("/posts/1", json={})).status == 404
    assert (await (await site.client("editor")).patch("/posts/7", json={})).status == 404


async def test_update_keeps_editorial_fields_that_are_not_sent(site: Site) -> None:
    client = await site.client("author")
    await created(client, editorial={"sources": ["https://example.org"], "ymyl": True})
    answer = await client.patch("/posts/1", json={"editorial": {"ai_disclosure": "Translated by machine"}})
    assert answer.data["post"]["editorial"] == {
        "ai_disclosure": "Translated by machine",
        "original_notes": None,
        "sources": ["https://example.org"],
        "ymyl": True,
    }


async def test_update_of_the_slug_frees_the_old_one(site: Site) -> None:
    client = await site.client("author")
    await created(client)
    await client.patch("/posts/1", json={"slug": "Yeni Ad"})
    assert (await client.get("/posts/1")).data["slug"] == "yeni-ad"
    assert (await created(client))["slug"] == "a-walk-along-the-harbour"
    assert (await client.patch("/posts/1", json={"slug": "a-walk-along-the-harbour"})).data["post"][
        "slug"
    ] == "a-walk-along-the-harbour-2"


async def test_update_with_its_own_slug_keeps_it(site: Site) -> None:
    client = await site.client("author")
    record = await created(client)
    assert (await client.patch("/posts/1", json={"slug": record["slug"]})).data["post"]["slug"] == record["slug"]


async def test_update_with_an_empty_excerpt_derives_it_anew(site: Site) -> None:
    client = await site.client("author")
    derived = (await created(client))["excerpt"]
    await client.patch("/posts/1", json={"excerpt": "By hand"})
    assert (await client.patch("/posts/1", json={"excerpt": ""})).data["post"]["excerpt"] == derived


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize("path", ["/posts", "/posts/"])
async def test_write_without_an_id_is_400(site: Site, method: str, path: str) -> None:
    answer = await (await site.client("editor")).request(method, path, json={})
    assert (answer.status, answer.error["message"]) == (400, "Missing post id")


async def test_ymyl_post_is_published_once_it_has_sources_and_a_review(site: Site) -> None:
    client = await site.client("editor")
    await created(client, editorial={"ymyl": True})
    refused = await client.post("/posts/1/publish")
    assert [block["code"] for block in refused.json["blocks"]] == ["ymyl_no_reviewer", "ymyl_no_sources"]
    await client.patch("/posts/1", json={"editorial": {"sources": ["https://example.org"]}, "reviewed": True})
    published = (await client.post("/posts/1/publish")).data["post"]
    assert published["reviewed_at"] == "2026-01-15 12:00:00"
    # A review holds for what was reviewed and for nothing else.
    changed = await client.patch("/posts/1", json={"content": CONTENT + "<p>And more.</p>"})
    assert [block["code"] for block in changed.json["blocks"]] == ["ymyl_no_reviewer"]
    again = await client.patch("/posts/1", json={"content": CONTENT + "<p>And more.</p>", "reviewed": True})
    assert again.status == 200


async def test_review_by_an_author_is_ignored(site: Site) -> None:
    record = await created(await site.client("author"), reviewed=True)
    assert record["reviewed_at"] is None


async def test_review_valid_tells_whether_the_content_is_what_the_gate_let_pass(site: Site) -> None:
    client = await site.client("author")
    await created(client, status="published")
    await client.patch("/posts/1", json={"status": "draft"})
    assert (await client.get("/posts/1")).data["review_valid"] is True
    after = (await client.patch("/posts/1", json={"title": "Something else now"})).data["post"]
    assert after["review_valid"] is False
