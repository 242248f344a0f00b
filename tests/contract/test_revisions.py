"""What a post was before, and how it comes back (spec, GET /posts/{id}/revisions; contract 4)."""

from typing import Any

import pytest

from cms_host.testing import Client, Site, dump
from cms_posts.testing import CONTENT, created

FIELDS = {
    "id", "post_id", "title", "slug", "excerpt", "content", "editor_id", "editor_name", "changed_fields", "created_at",
}  # fmt: skip


async def history(client: Client, query: str = "") -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = (await client.get(f"/posts/1/revisions?{query}")).data["items"]
    return items


@pytest.mark.shows("posts.revisions", "posts.revision.record", "posts.revision.before")
async def test_a_revision_is_what_the_post_was_and_who_changed_it(site: Site, author: Client, editor: Client) -> None:
    before = await created(author, excerpt="By hand")
    assert await history(author) == []
    site.clock.advance(60)
    editor_id = (await created(editor))["author_id"]
    assert (await editor.patch("/posts/1", json={"title": "Second", "content": "<p>Second.</p>"})).status == 200
    (revision,) = await history(author)

    assert revision.keys() == FIELDS
    assert {name: revision[name] for name in ("title", "slug", "excerpt", "content")} == {
        name: before[name] for name in ("title", "slug", "excerpt", "content")
    }
    assert (revision["post_id"], type(revision["id"])) == (1, int)
    assert (revision["editor_id"], revision["editor_name"]) == (editor_id, "editor")
    assert sorted(revision["changed_fields"]) == ["content", "title"]
    assert revision["created_at"] == "2026-01-15 12:01:00"


@pytest.mark.shows("posts.revisions", "envelope.items")
async def test_the_history_is_a_page_newest_first(author: Client) -> None:
    await created(author, title="Title 0")
    for number in range(1, 6):
        await author.patch("/posts/1", json={"title": f"Title {number}"})
    data = (await author.get("/posts/1/revisions?per_page=2&page=2")).data

    assert [item["title"] for item in data["items"]] == ["Title 2", "Title 1"]
    assert (data["total"], data["pages"], data["current_page"], data["per_page"]) == (5, 3, 2, 2)
    assert [item["title"] for item in await history(author)] == [f"Title {n}" for n in (4, 3, 2, 1, 0)]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"title": "Other"}, "title"),
        ({"content": "<p>Other.</p>"}, "content"),
        ({"excerpt": "Other"}, "excerpt"),
        ({"featured_image": "b.jpg"}, "featured_image"),
        ({"slug": "other"}, "slug"),
        ({"tags": ["Sea"]}, "tags"),
        ({"editorial": {"sources": ["A law"]}}, "sources"),
        ({"editorial": {"ai_disclosure": "By machine"}}, "ai_disclosure"),
    ],
)
@pytest.mark.shows("posts.revision.before", "time.modified.facing", "time.modified.changes")
async def test_every_change_that_readers_see_makes_one(author: Client, change: dict[str, Any], field: str) -> None:
    before = await created(author, excerpt="By hand")
    after = (await author.patch("/posts/1", json=change)).data["post"]
    (revision,) = await history(author)

    assert [name.rpartition(".")[2] for name in revision["changed_fields"]] == [field]
    assert after["content_modified_at"] > before["content_modified_at"]


@pytest.mark.shows("posts.revision.none")
async def test_what_readers_do_not_see_makes_none(author: Client, editor: Client) -> None:
    record = await created(author, editorial={"ymyl": True, "sources": ["A law"]})
    same = {name: record[name] for name in ("title", "content", "excerpt", "slug", "featured_image")}
    for change in (same, {}, {"status": "pending"}, {"is_featured": True}, {"comment_status": "closed"}):
        assert (await author.patch("/posts/1", json=change)).status == 200
    await editor.patch("/posts/1", json={"reviewed": True, "editorial": {"original_notes": "Kept"}})
    await editor.post("/posts/1/publish")
    await editor.delete("/posts/1")

    assert await history(author) == []


@pytest.mark.shows("posts.revision.kept")
async def test_the_newest_are_kept_as_many_as_the_setting_says(site: Site, author: Client, admin: Client) -> None:
    assert (await admin.get("/settings/posts.revisions_kept")).data["default"] == 100
    await site.set(**{"posts.revisions_kept": 3})
    await created(author, title="Title 0")
    for number in range(1, 8):
        await author.patch("/posts/1", json={"title": f"Title {number}"})

    assert [item["title"] for item in await history(author)] == ["Title 6", "Title 5", "Title 4"]


@pytest.mark.shows("posts.revision.restore", "posts.written")
async def test_a_revision_is_restored_and_what_was_there_becomes_one(site: Site, author: Client) -> None:
    before = await created(author, excerpt="By hand", tags=["Sea"])
    await author.patch("/posts/1", json={"title": "Second", "content": "<p>Second.</p>", "slug": "second", "tags": []})
    (revision,) = await history(author)
    site.clock.advance(60)
    answer = await author.post(f"/posts/1/revisions/{revision['id']}/restore?with_relations=1")

    assert (answer.status, answer.data.keys()) == (200, {"success", "id", "post", "warnings"})
    post = answer.data["post"]
    restored = ("title", "slug", "excerpt", "content", "featured_image", "status")
    assert {name: post[name] for name in restored} == {name: before[name] for name in restored}
    assert [tag["name"] for tag in post["tags"]] == ["Sea"]
    assert post["content_modified_at"] > before["content_modified_at"]
    assert [item["title"] for item in await history(author)] == ["Second", before["title"]]


@pytest.mark.shows("posts.revision.gate", "gate.first", "gate.nothing")
async def test_restoring_into_a_published_post_passes_the_gate_or_changes_nothing(
    author: Client, database_url: str
) -> None:
    await created(author, title="Short", content="<p>Short.</p>")
    await author.patch(
        "/posts/1", json={"title": "A title that is long enough", "content": CONTENT, "status": "published"}
    )
    (revision,) = await history(author)
    before = dump(database_url)["posts"]
    answer = await author.post(f"/posts/1/revisions/{revision['id']}/restore")

    assert (answer.status, answer.json["error"]) == (422, "quality_gate")
    assert dump(database_url)["posts"] == before
    await author.patch("/posts/1", json={"status": "draft"})
    assert (await author.post(f"/posts/1/revisions/{revision['id']}/restore")).status == 200


@pytest.mark.shows("posts.revision.restore", "errors.404.id", "request.id.digits", "request.id.range")
async def test_a_revision_that_is_none_of_the_posts_is_404(author: Client) -> None:
    for _ in range(2):
        await created(author)
    await author.patch("/posts/2", json={"title": "Other"})
    foreign = (await author.get("/posts/2/revisions")).data["items"][0]["id"]

    for number in (
        "999",
        "x",
        "0",
        str(2**63),
    ):
        assert (await author.post(f"/posts/1/revisions/{number}/restore")).status == 404
        assert (await author.post(f"/posts/1/revisions/{foreign}/restore")).status == 404


@pytest.mark.shows("role.sees.inside", "role.own", "role.sees.not")
async def test_the_history_is_for_those_who_may_edit(site: Site, author: Client, subscriber: Client) -> None:
    await created(author, status="published")
    await author.patch("/posts/1", json={"title": "A second title of it"})
    number = (await history(author))[0]["id"]
    other = await site.client("author", "other")
    asked = [("GET", "/posts/1/revisions"), ("POST", f"/posts/1/revisions/{number}/restore")]
    for client in (other, subscriber):
        assert [(await client.request(*each)).status for each in asked] == [403, 403]
    await author.patch("/posts/1", json={"status": "draft"})
    assert [(await other.request(*each)).status for each in asked] == [404, 404]
    assert (await subscriber.get("/posts/1/revisions")).status == 404
