"""The list's parameters beyond the spec (contract 10)."""

from typing import Any

import pytest

from cms_host.testing import Client, Site
from cms_posts.testing import created


async def ids(client: Client, query: str = "") -> list[int]:
    answer = await client.get(f"/posts?{query}")
    assert answer.status == 200, answer.text
    return [item["id"] for item in answer.data["items"]]


@pytest.mark.shows("list.slug", "list.slug.earlier")
async def test_a_slug_finds_its_post_by_earlier_names_too(editor: Client) -> None:
    await created(editor, slug="first")
    await created(editor, slug="other")
    assert (await ids(editor, "slug=first"), await ids(editor, "slug=nothing")) == ([1], [])
    for slug in ("second", "third"):
        await editor.patch("/posts/1", json={"slug": slug})
    for query in ("slug=first", "slug=second", "slug=third"):
        data = (await editor.get(f"/posts?{query}")).data
        assert ([item["slug"] for item in data["items"]], data["total"]) == (["third"], 1)
    # Whoever has a slug now comes before those who had it.
    await editor.patch("/posts/2", json={"slug": "first"})
    assert (await ids(editor, "slug=first"), await ids(editor, "slug=second")) == ([2], [1])
    assert await ids(editor, "slug=other") == [2]
    await editor.delete("/posts/1", json={"force": True})
    assert await ids(editor, "slug=second") == []


@pytest.mark.shows("list.slug", "role.sees.not")
async def test_a_slug_shows_nobody_what_may_not_be_seen(editor: Client, subscriber: Client) -> None:
    await created(editor, slug="first")
    await editor.patch("/posts/1", json={"slug": "second"})

    assert [await ids(subscriber, f"slug={slug}") for slug in ("first", "second")] == [[], []]


@pytest.mark.shows("list.ids")
async def test_ids_keep_these_posts(editor: Client) -> None:
    for _ in range(4):
        await created(editor)
    assert await ids(editor, "ids=1,3") == [3, 1]
    assert await ids(editor, "ids=4,4,99,2") == [4, 2]
    data = (await editor.get("/posts?ids=1,2,3&per_page=2&page=2&order_dir=asc")).data
    assert ([item["id"] for item in data["items"]], data["total"], data["pages"]) == ([3], 3, 2)
    for bad in ("x", "1,x", "1.5"):
        answer = await editor.get(f"/posts?ids={bad}")
        assert (answer.status, answer.error["errors"][0]["field"].partition(".")[0]) == (422, "ids")


@pytest.mark.shows("list.updated_after", "list.content_modified_after", "list.date.refused")
async def test_changes_since_a_moment(site: Site, editor: Client) -> None:
    for _ in range(3):
        await created(editor)
    site.clock.advance(3600)
    await editor.patch("/posts/2", json={"is_featured": True})
    await editor.patch("/posts/3", json={"title": "Other"})

    assert await ids(editor, "updated_after=2026-01-15 12:00:00") == [3, 2]
    assert await ids(editor, "updated_after=2026-01-15 12:59:59") == [3, 2]
    assert await ids(editor, "updated_after=2026-01-15 13:00:00") == []
    assert await ids(editor, "content_modified_after=2026-01-15 12:00:00") == [3]
    stamp = (await editor.get("/posts/3")).data["content_modified_at"]
    assert await ids(editor, "content_modified_after=" + stamp.replace("+", "%2B")) == []
    for name in ("updated_after", "content_modified_after"):
        assert (await editor.get(f"/posts?{name}=soon")).status == 422


@pytest.mark.shows("list.several", "list.status")
async def test_several_values_by_commas(editor: Client) -> None:
    numbers = [(await editor.post("/categories", json={"name": name})).data["id"] for name in ("News", "Sport")]
    await created(editor, status="published", categories=numbers, tags=["Sea", "Land"])
    await created(editor, categories=numbers[:1], tags=["Sea"])
    await created(editor, status="pending", categories=numbers[1:], tags=["Land"])
    await created(editor, status="trash")

    for query, expected in (
        ("status=published,pending", [3, 1]), ("status=draft,trash", [4, 2]), ("category=news,sport", [3, 2, 1]),
        ("tag=sea,land", [3, 2, 1]), ("category=news,nothing", [2, 1]), ("tag=land,nothing&status=pending,draft", [3]),
    ):  # fmt: skip
        data = (await editor.get(f"/posts?{query}")).data
        assert ([item["id"] for item in data["items"]], data["total"]) == (expected, len(expected))
    assert (await editor.get("/posts?status=published,live")).status == 422


@pytest.mark.shows("list.fields")
async def test_fields_keep_what_is_named(editor: Client) -> None:
    await created(editor, tags=["Sea"])
    for chosen in ({"id", "title"}, {"slug"}, {"content", "editorial"}, {"title"}):
        (item,) = (await editor.get(f"/posts?fields={','.join(chosen)}")).data["items"]
        assert item.keys() == chosen
    whole = (await editor.get("/posts/1")).data
    for name in whole:
        assert (await editor.get(f"/posts?fields={name}")).data["items"] == [{name: whole[name]}]


@pytest.mark.shows("list.with_total")
async def test_totals_can_be_left_out(editor: Client) -> None:
    for _ in range(3):
        await created(editor)
    data = (await editor.get("/posts?with_total=0&per_page=2")).data
    assert data.keys() == {"items", "current_page", "per_page"}
    assert [item["id"] for item in data["items"]] == [3, 2]
    assert (await editor.get("/posts?with_total=1&per_page=2")).data["total"] == 3


async def walk(client: Client, cursor: str, direction: str, begin: int, filters: str = "") -> list[dict[str, Any]]:
    pages: list[dict[str, Any]] = []
    while len(pages) < 10:
        at = pages[-1]["items"][-1]["id"] if pages else begin
        query = f"order_by=id&order_dir={direction}&per_page=3&{cursor}={at}&{filters}"
        data = (await client.get(f"/posts?{query}")).data
        if not data["items"]:
            break
        pages.append(data)
    return pages


@pytest.mark.shows("list.after_id", "list.before_id")
async def test_a_walk_by_ids_meets_every_post_once(editor: Client) -> None:
    for number in range(8):
        await created(editor, is_featured=number % 2 == 0)
    up, down = await walk(editor, "after_id", "asc", 0), await walk(editor, "before_id", "desc", 99)

    assert [[item["id"] for item in page["items"]] for page in up] == [[1, 2, 3], [4, 5, 6], [7, 8]]
    assert [[item["id"] for item in page["items"]] for page in down] == [[8, 7, 6], [5, 4, 3], [2, 1]]
    for page in (*up, *down):
        assert page.keys() - {"pages"} == {"items", "total", "per_page"}
        assert (page["total"], page["per_page"]) == (8, 3)
    featured = await walk(editor, "after_id", "asc", 0, "featured=1")
    assert [item["id"] for page in featured for item in page["items"]] == [1, 3, 5, 7]
    assert {page["total"] for page in featured} == {4}


@pytest.mark.shows("list.after_id", "list.before_id")
async def test_a_cursor_is_a_number_and_goes_by_ids(editor: Client) -> None:
    await created(editor)
    for query in ("after_id=x&order_by=id", "before_id=x&order_by=id", "after_id=1&order_by=title"):
        assert (await editor.get(f"/posts?{query}")).status == 422
