"""GET /posts/{id}/revisions: the state before each change that readers could see."""

import pytest

from cms_host.testing import Answer, Client, Site, assert_documented, dump
from cms_posts.testing import CONTENT, NOTED, article, created


async def revisions(client: Client, **params: str) -> Answer:
    answer = await client.get("/posts/1/revisions", params=params)
    assert answer.status == 200, answer.text
    return answer


async def test_create_makes_no_revision(site: Site) -> None:
    client = await site.client("author")
    await created(client)
    assert (await revisions(client)).data == {"items": [], "total": 0, "pages": 0, "current_page": 1, "per_page": 20}


async def test_change_keeps_the_state_before_it(site: Site) -> None:
    author, editor = await site.client("author"), await site.client("editor")
    before = await created(author)
    site.clock.advance(60)
    changes = {"title": "Another title", "slug": "another", "content": "<p>New.</p>", "excerpt": "By hand"}
    await editor.patch("/posts/1", json=changes)
    answer = await revisions(author)
    [item] = answer.data["items"]
    assert item.pop("editor_id") != before["author_id"]
    assert item == {
        "id": 1,
        "post_id": 1,
        **{name: before[name] for name in changes},
        "editor_name": "editor",
        "changed_fields": ["title", "content", "excerpt", "slug"],
        "created_at": "2026-01-15 12:01:00",
    }
    await assert_documented(site, "GET", "/posts/{id}/revisions", await revisions(author))


@pytest.mark.parametrize(
    ("body", "changed"),
    [
        ({"title": "Another title"}, "title"),
        ({"content": CONTENT + "<p>And more.</p>"}, "content"),
        ({"excerpt": "By hand"}, "excerpt"),
        ({"featured_image": "2026/01/b.jpg"}, "featured_image"),
        ({"slug": "another"}, "slug"),
        ({"editorial": {"sources": ["https://example.org"]}}, "editorial.sources"),
        ({"editorial": {"ai_disclosure": "Translated by machine"}}, "editorial.ai_disclosure"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_change_of_any_field_that_readers_see_makes_a_revision(
    site: Site, body: dict[str, object], changed: str
) -> None:
    client = await site.client("author")
    await created(client)
    await client.patch("/posts/1", json=body)
    assert [item["changed_fields"] for item in (await revisions(client)).data["items"]] == [[changed]]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"title": article()["title"], "content": CONTENT},
        {"editorial": {"original_notes": "For us", "ymyl": True}},
        {"is_featured": True},
        {"comment_status": "closed"},
        {"visibility": "private"},
        {"status": "published"},
        {"seo": {"meta_title": "For robots"}},
        {"reviewed": True},
    ],
    ids=str,
)
async def test_change_that_readers_do_not_see_makes_none(site: Site, body: dict[str, object]) -> None:
    client = await site.client("editor")
    await created(client)
    assert (await client.patch("/posts/1", json=body)).status == 200
    assert (await revisions(client)).data["total"] == 0


async def test_refused_change_makes_none(site: Site, database_url: str) -> None:
    client = await site.client("author")
    await created(client, status="published")
    await client.patch("/posts/1", json={"title": "A longer walk along the harbour"})
    before = dump(database_url, NOTED)
    assert (await client.patch("/posts/1", json={"title": "Short"})).json["error"] == "quality_gate"
    assert dump(database_url, NOTED) == before


async def test_list_is_newest_first_and_in_pages(site: Site) -> None:
    client = await site.client("author")
    await created(client, title="Title 0")
    for number in range(1, 6):
        await client.patch("/posts/1", json={"title": f"Title {number}"})
    answer = await revisions(client, per_page="2", page="2")
    assert [item["title"] for item in answer.data["items"]] == ["Title 2", "Title 1"]
    assert {name: answer.data[name] for name in ("total", "pages", "current_page", "per_page")} == {
        "total": 5,
        "pages": 3,
        "current_page": 2,
        "per_page": 2,
    }
    assert (await revisions(client, page="9")).data["items"] == []
    assert (await client.get("/posts/1/revisions", params={"page": "x"})).status == 422


async def test_only_the_newest_are_kept_of_each_post(site: Site) -> None:
    client = await site.client("author")
    await created(client, title="Title 0")
    await created(client, title="Neighbour 0")
    await client.patch("/posts/2", json={"title": "Neighbour 1"})
    await site.set(**{"posts.revisions_kept": 3})
    for number in range(1, 6):
        await client.patch("/posts/1", json={"title": f"Title {number}"})
    answer = await revisions(client)
    assert [item["title"] for item in answer.data["items"]] == ["Title 4", "Title 3", "Title 2"]
    assert answer.data["total"] == 3
    assert (await client.get("/posts/2/revisions")).data["total"] == 1


async def test_fewer_kept_from_now_on_forgets_the_rest_at_the_next_change(site: Site) -> None:
    client = await site.client("author")
    await created(client, title="Title 0")
    for number in range(1, 5):
        await client.patch("/posts/1", json={"title": f"Title {number}"})
    await site.set(**{"posts.revisions_kept": 1})
    await client.patch("/posts/1", json={"title": "Title 5"})
    assert [item["title"] for item in (await revisions(client)).data["items"]] == ["Title 4"]


async def test_deleting_a_post_for_good_takes_its_revisions_along(site: Site, database_url: str) -> None:
    client = await site.client("author")
    await created(client, seo={"robots": "noindex"})
    await client.patch("/posts/1", json={"title": "Another title"})
    assert (await client.delete("/posts/1", json={"force": True})).status == 200
    rows = dump(database_url)
    assert (rows["post_revisions"], rows["post_seo"]) == ([], [])
    assert (await client.get("/posts/1/revisions")).status == 404


async def test_trashing_a_post_keeps_its_revisions(site: Site) -> None:
    client = await site.client("author")
    await created(client)
    await client.patch("/posts/1", json={"title": "Another title"})
    await client.delete("/posts/1")
    assert (await revisions(client)).data["total"] == 1


@pytest.mark.parametrize(("status", "expected"), [("published", 403), ("draft", 404)])
@pytest.mark.parametrize("role", ["subscriber", "author"])
async def test_revisions_are_for_those_who_may_change_the_post(
    site: Site, role: str, status: str, expected: int
) -> None:
    await created(await site.client("author", "owner"), status=status)
    other = await site.client(role)
    assert (await other.get("/posts/1/revisions")).status == expected
    assert (await (await site.client("editor")).get("/posts/1/revisions")).status == 200


async def test_revisions_of_a_page_are_not_for_authors(site: Site) -> None:
    await created(await site.client("editor"), type="page", status="published")
    assert (await (await site.client("author")).get("/posts/1/revisions")).status == 403


@pytest.mark.parametrize("bad", ["0", "99", "a-walk-along-the-harbour", "1" * 20])
async def test_revisions_of_no_post_are_404(site: Site, bad: str) -> None:
    client = await site.client("editor")
    await created(client)
    assert (await client.get(f"/posts/{bad}/revisions")).status == 404
