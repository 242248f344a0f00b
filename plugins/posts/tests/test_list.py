"""GET /posts."""

from itertools import chain
from typing import Any

import pytest

from cms_host.testing import Client, MakeSite, Site
from cms_posts.testing import LIKENESS, created


@pytest.fixture
async def site(make_site: MakeSite) -> Site:
    """A site on which posts may be alike, so that lists have ties to break."""
    return await make_site(disabled=LIKENESS)


async def ids(client: Client, query: str = "") -> list[int]:
    answer = await client.get(f"/posts{query}")
    assert answer.status == 200, answer.text
    return [item["id"] for item in answer.data["items"]]


async def fill(site: Site, count: int, **changes: Any) -> Client:
    client = await site.client("editor")
    for _ in range(count):
        await created(client, **changes)
        site.clock.advance(60)
    return client


async def test_list_of_nothing_is_an_empty_page(site: Site) -> None:
    answer = await (await site.client("subscriber")).get("/posts")
    assert answer.json == {
        "success": True,
        "data": {"items": [], "total": 0, "pages": 0, "current_page": 1, "per_page": 20},
    }


async def test_list_is_newest_first_and_its_items_are_the_records(site: Site) -> None:
    client = await fill(site, 3)
    assert await ids(client) == [3, 2, 1]
    item = (await client.get("/posts")).data["items"][0]
    assert item == (await client.get("/posts/3")).data


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?order_by=id", [3, 2, 1]),
        ("?order_by=id&order_dir=asc", [1, 2, 3]),
        ("?order_by=id&order_dir=ASC", [1, 2, 3]),
        ("?order_by=id&order_dir=sideways", [3, 2, 1]),
        ("?order_by=nonsense&order_dir=asc", [1, 2, 3]),
        ("?order_by=title&order_dir=asc", [2, 1, 3]),
        ("?order_by=created_at&order_dir=asc", [1, 2, 3]),
        ("?order_by=status&order_dir=asc", [1, 2, 3]),
        ("?order_by=author_name", [3, 2, 1]),
        ("?order_by=(select 1)&order_dir=asc", [1, 2, 3]),
    ],
)
async def test_list_is_ordered_as_asked(site: Site, query: str, expected: list[int]) -> None:
    client = await site.client("editor")
    for title in ("Kayseri", "Ankara", "Rize"):
        await created(client, title=title)
        site.clock.advance(60)
    assert await ids(client, query) == expected


@pytest.mark.parametrize("order_by", ["published_at", "title", "status", "view_count", "author_name", "created_at"])
@pytest.mark.parametrize("order_dir", ["asc", "desc"])
async def test_list_pages_never_overlap_and_are_the_whole(site: Site, order_by: str, order_dir: str) -> None:
    client = await site.client("editor")
    for number in range(7):
        await created(client, **({"status": "published"} if number % 2 else {}))
    query = f"?order_by={order_by}&order_dir={order_dir}&per_page=2"
    pages = [await ids(client, f"{query}&page={page}") for page in (1, 2, 3, 4, 5)]
    assert sorted(chain.from_iterable(pages)) == [1, 2, 3, 4, 5, 6, 7]
    assert [len(page) for page in pages] == [2, 2, 2, 1, 0]


async def test_list_tells_true_totals_on_every_page(site: Site) -> None:
    client = await fill(site, 5)
    for page in (1, 3, 9):
        data = (await client.get(f"/posts?per_page=2&page={page}")).data
        assert (data["total"], data["pages"], data["current_page"], data["per_page"]) == (5, 3, page, 2)


@pytest.mark.parametrize(
    ("query", "page", "per_page"),
    [
        ("?page=0", 1, 20),
        ("?page=-5", 1, 20),
        ("?per_page=0", 1, 20),
        ("?per_page=-1", 1, 20),
        ("?per_page=101", 1, 100),
        ("?per_page=99999999999999999999999", 1, 100),
    ],
)
async def test_list_keeps_paging_within_its_bounds(site: Site, query: str, page: int, per_page: int) -> None:
    data = (await (await site.client("editor")).get(f"/posts{query}")).data
    assert (data["current_page"], data["per_page"]) == (page, per_page)


async def test_list_past_the_last_possible_page_is_empty(site: Site) -> None:
    client = await fill(site, 1)
    data = (await client.get("/posts?page=9223372036854775807&per_page=100")).data
    assert (data["items"], data["total"]) == ([], 1)


@pytest.mark.parametrize("query", ["?page=x", "?per_page=1.5", "?page=", "?author_id=me", "?status=live", "?type=x"])
async def test_list_refuses_parameters_that_mean_nothing(site: Site, query: str) -> None:
    answer = await (await site.client("editor")).get(f"/posts{query}")
    assert answer.status == 422
    assert answer.error["errors"][0]["field"] == query[1:].partition("=")[0]


@pytest.mark.parametrize("query", ["?status=%00", "?page=%ff", "?author_id=1%00"])
async def test_list_refuses_broken_text_in_the_query(site: Site, query: str) -> None:
    assert (await (await site.client("editor")).get(f"/posts{query}")).status in (400, 422)


async def test_list_leaves_the_trash_out_unless_it_is_asked_for(site: Site) -> None:
    client = await fill(site, 3)
    await client.delete("/posts/2")
    assert await ids(client) == [3, 1]
    assert (await client.get("/posts")).data["total"] == 2
    assert await ids(client, "?status=trash") == [2]


async def test_list_counts_what_each_caller_sees(site: Site) -> None:
    editor, author = await site.client("editor"), await site.client("author")
    await created(editor, status="published")
    await created(editor, status="published", visibility="private", title="A private walk along")
    await created(editor)
    await created(author)
    await created(author, status="published", visibility="private", title="Another private walk")
    seen = {}
    for role in ("subscriber", "author", "editor", "admin"):
        client = await site.client(role)
        seen[role] = (sorted(await ids(client)), (await client.get("/posts")).data["total"])
    assert seen == {
        "subscriber": ([1], 1),
        "author": ([1, 4, 5], 3),
        "editor": ([1, 2, 3, 4, 5], 5),
        "admin": ([1, 2, 3, 4, 5], 5),
    }


async def test_list_is_narrowed_by_simple_filters(site: Site) -> None:
    client = await site.client("editor")
    await created(client, status="published", is_featured=True)
    site.clock.advance(86_400)
    await created(client, type="page")
    site.clock.advance(86_400)
    await created(client)
    assert await ids(client, "?status=published") == [1]
    assert await ids(client, "?type=page") == [2]
    assert await ids(client, "?type=post&status=draft") == [3]
    assert await ids(client, "?featured=1") == [1]
    assert await ids(client, "?featured=0") == [3, 2, 1]
    assert await ids(client, "?date_from=2026-01-16&date_to=2026-01-16") == [2]
    assert await ids(client, "?date_from=2026-01-16 12:00:00") == [3, 2]
    assert await ids(client, "?updated_before=2026-01-16 12:00:00") == [1]
    assert (await client.get("/posts?date_from=never")).status == 422
    assert (await client.get("/posts?type=page")).data["total"] == 1
    assert (await client.get("/posts?featured=1")).data["total"] == 1
