"""GET /categories and GET /categories/{slug}."""

import pytest

from cms_categories.api import Shelves
from cms_host.testing import MakeSite, Site, assert_documented

from .conftest import SQLITE_ALONE, Shelf, created


async def test_list_of_nothing_is_one_empty_page_of_twenty(site: Site) -> None:
    answer = await (await site.client("subscriber")).get("/categories")

    assert answer.json == {
        "success": True,
        "data": {"items": [], "total": 0, "pages": 0, "current_page": 1, "per_page": 20},
    }


async def test_list_has_all_on_one_page_whatever_page_is_asked_for(site: Site) -> None:
    editor = await site.client("editor")
    for number in range(23):
        await created(editor, f"Category {number}")
    data = (await (await site.client("subscriber")).get("/categories?page=2&per_page=5")).data

    assert len(data["items"]) == 23
    assert {name: data[name] for name in data if name != "items"} == {
        "total": 23,
        "pages": 1,
        "current_page": 1,
        "per_page": 23,
    }


async def test_list_is_by_folded_name_and_then_by_age(site: Site) -> None:
    client = await site.client("editor")
    parent = await created(client, "Ünlüler")
    for name, parent_id in (("şehir", None), ("sehir", parent["id"]), ("İzmir", None), ("aydın", None)):
        await created(client, name, parent_id=parent_id)
    names = [item["name"] for item in (await client.get("/categories")).data["items"]]

    assert names == ["aydın", "İzmir", "şehir", "sehir", "Ünlüler"]


async def test_list_shows_whole_records_as_documented(site: Site) -> None:
    client = await site.client("editor")
    parent = await created(client, "News", description="What happened.")
    site.clock.advance(3600)
    await created(client, "Local news", parent_id=parent["id"])
    answer = await client.get("/categories")

    assert answer.data["items"] == [
        {
            "id": 2,
            "name": "Local news",
            "slug": "local-news",
            "description": "",
            "parent_id": 1,
            "post_count": 0,
            "created_at": "2026-01-15 13:00:00",
            "updated_at": "2026-01-15 13:00:00",
        },
        {
            "id": 1,
            "name": "News",
            "slug": "news",
            "description": "What happened.",
            "parent_id": None,
            "post_count": 0,
            "created_at": "2026-01-15 12:00:00",
            "updated_at": "2026-01-15 12:00:00",
        },
    ]
    await assert_documented(site, "GET", "/categories", answer)


async def test_read_adds_the_children_and_not_theirs(site: Site) -> None:
    client = await site.client("editor")
    for name, parent_id in (("News", None), ("World", 1), ("Local", 1), ("Harbour", 3), ("Sport", None)):
        await created(client, name, parent_id=parent_id)
    listed = {item["slug"]: item for item in (await client.get("/categories")).data["items"]}
    answer = await (await site.client("subscriber")).get("/categories/news")

    assert answer.data == {**listed["news"], "children": [listed["local"], listed["world"]]}
    assert (await client.get("/categories/harbour")).data["children"] == []
    await assert_documented(site, "GET", "/categories/{slug}", answer)


@pytest.mark.parametrize("slug", ["nothing", "News", "NEWS", "news-", "1", "n%C3%AAws", "news%00", "%FF", "n" * 2000])
async def test_read_of_what_is_no_slug_is_404(site: Site, slug: str) -> None:
    await created(await site.client("editor"), "News")
    answer = await (await site.client("subscriber")).get(f"/categories/{slug}")

    assert (answer.status, answer.error["message"]) == (404, "Not found")


async def test_counts_are_asked_for_once_and_added_up(site: Site) -> None:
    client = await site.client("editor")
    for name, parent_id in (("News", None), ("World", 1), ("Local", 1)):
        await created(client, name, parent_id=parent_id)
    one, other = Shelf({1: 5, 3: 2}), Shelf({3: 40, 2: 0})
    site.provide(Shelves, one, other)
    listed = (await client.get("/categories")).data["items"]
    read = (await client.get("/categories/news")).data

    assert {item["id"]: item["post_count"] for item in listed} == {1: 5, 2: 0, 3: 42}
    assert [read["post_count"], *(child["post_count"] for child in read["children"])] == [5, 42, 0]
    assert one.asked == other.asked == [[1, 2, 3], [1, 2, 3]]


@SQLITE_ALONE
async def test_counts_are_zero_where_nobody_keeps_posts(make_site: MakeSite) -> None:
    site = await make_site(enabled=["users", "categories"])
    client = await site.client("editor")
    await created(client, "News")
    await created(client, "Local", parent_id=1)
    await client.patch("/categories/local", json={"parent_id": None})

    assert [item["post_count"] for item in (await client.get("/categories")).data["items"]] == [0, 0]
