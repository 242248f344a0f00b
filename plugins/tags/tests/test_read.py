"""GET /tags and GET /tags/{slug}."""

import pytest

from cms_host.testing import Client, MakeSite, Site, assert_documented
from cms_tags.api import Tagged

from .conftest import SQLITE_ALONE, Carrier, created, names


async def fill(site: Site, *wanted: str) -> Client:
    client = await site.client("editor")
    for name in wanted:
        await created(client, name)
    return client


async def test_list_of_nothing_is_an_empty_page(site: Site) -> None:
    answer = await (await site.client("subscriber")).get("/tags")

    assert answer.json == {
        "success": True,
        "data": {"items": [], "total": 0, "pages": 0, "current_page": 1, "per_page": 20},
    }


async def test_list_is_by_folded_name_and_shows_records_as_documented(site: Site) -> None:
    client = await fill(site, "zeytin", "Şehir", "Çay", "çağla")
    answer = await (await site.client("subscriber")).get("/tags")

    assert [item["name"] for item in answer.data["items"]] == ["çağla", "Çay", "Şehir", "zeytin"]
    assert answer.data["items"][2] == {
        "id": 2,
        "name": "Şehir",
        "slug": "sehir",
        "post_count": 0,
        "created_at": "2026-01-15 12:00:00",
    }
    assert (await client.get("/tags/sehir")).data == answer.data["items"][2]
    await assert_documented(site, "GET", "/tags", answer)
    await assert_documented(site, "GET", "/tags/{slug}", await client.get("/tags/sehir"))


@pytest.mark.parametrize(
    ("query", "expected", "page", "per_page"),
    [
        ("?per_page=2", ["a", "b"], 1, 2),
        ("?per_page=2&page=3", ["e"], 3, 2),
        ("?per_page=2&page=4", [], 4, 2),
        ("?page=0&per_page=-1", ["a", "b", "c", "d", "e"], 1, 20),
        ("?per_page=1000", ["a", "b", "c", "d", "e"], 1, 100),
        (f"?page={2**63 - 1}&per_page=100", [], 2**63 - 1, 100),
    ],
)
async def test_list_is_paged(site: Site, query: str, expected: list[str], page: int, per_page: int) -> None:
    client = await fill(site, *"ecabd")
    data = (await client.get(f"/tags{query}")).data

    assert [item["name"] for item in data["items"]] == expected
    assert (data["total"], data["pages"]) == (5, -(-5 // per_page))
    assert (data["current_page"], data["per_page"]) == (page, per_page)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("IŞ", ["ışık", "kış"]),
        ("is", ["ışık", "kış"]),
        ("  kIs ", ["kış"]),
        ("100%25", ["100% wool"]),
        ("%25", ["100% wool"]),
        ("a_b", ["a_b"]),
        ("_", ["a_b"]),
        ("/", ["and/or"]),
        ("%5C", ["back\\slash"]),
        ("", ["100% wool", "a_b", "and/or", "back\\slash", "ışık", "kış", "o'clock"]),
        ("%20", ["100% wool", "a_b", "and/or", "back\\slash", "ışık", "kış", "o'clock"]),
        ("' OR 1=1 --", []),
        ("*", []),
    ],
)
async def test_search_is_for_a_part_of_the_folded_name_taken_literally(
    site: Site, query: str, expected: list[str]
) -> None:
    client = await fill(site, "ışık", "kış", "100% wool", "a_b", "and/or", "back\\slash", "o'clock")

    assert sorted(await names(client, f"?search={query}")) == sorted(expected)
    assert (await client.get(f"/tags?search={query}&per_page=1")).data["total"] == len(expected)


@SQLITE_ALONE
@pytest.mark.parametrize(
    ("query", "status"), [("page=x", 422), ("per_page=1.5", 422), ("search=%00", 400), ("search=%ff", 400)]
)
async def test_list_refuses_parameters_that_mean_nothing(site: Site, query: str, status: int) -> None:
    assert (await (await site.client("subscriber")).get(f"/tags?{query}")).status == status


async def test_search_for_more_than_a_name_can_hold_is_422(site: Site) -> None:
    client = await site.client("subscriber")

    assert (await client.get("/tags", params={"search": "\ufdfa" * 200})).data["total"] == 0
    assert (await client.get("/tags", params={"search": "x" * 201})).error["errors"][0]["field"] == "search"


@pytest.mark.parametrize("slug", ["nothing", "News", "news-", "1", "n%C3%AAws", "news%00", "%FF", "n" * 2000])
async def test_read_of_what_is_no_slug_is_404(site: Site, slug: str) -> None:
    client = await fill(site, "News")
    answer = await client.get(f"/tags/{slug}")

    assert (answer.status, answer.error["message"]) == (404, "Not found")


async def test_counts_are_asked_for_once_and_added_up(site: Site) -> None:
    client = await fill(site, "a", "b", "c")
    site.provide(Tagged, one := Carrier({1: 5, 2: 2}), other := Carrier({2: 40}))
    listed = (await client.get("/tags?per_page=2")).data["items"]

    assert [item["post_count"] for item in listed] == [5, 42]
    assert (await client.get("/tags/b")).data["post_count"] == 42
    assert one.asked == other.asked == [[1, 2], [2]]


@SQLITE_ALONE
async def test_counts_are_zero_where_nobody_keeps_posts(make_site: MakeSite) -> None:
    client = await fill(await make_site(enabled=["users", "tags"]), "a")

    assert (await client.get("/tags/a")).data["post_count"] == 0
