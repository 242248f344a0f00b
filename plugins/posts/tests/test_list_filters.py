"""The list's filters of contract 10, and those by category and tag."""

from collections.abc import Sequence
from typing import Any

import pytest

from cms_host.testing import Client, MakeSite, Site
from cms_posts.testing import LIKENESS, created


@pytest.fixture
async def site(make_site: MakeSite) -> Site:
    """A site on which posts may be alike, so that lists have ties to break."""
    return await make_site(disabled=LIKENESS)


async def found(client: Client, query: str) -> list[int]:
    """Ids in ascending order; the total agrees with them."""
    answer = await client.get(f"/posts?order_by=id&order_dir=asc&per_page=100&{query}")
    assert answer.status == 200, answer.text
    assert answer.data["total"] == len(answer.data["items"])
    return [item["id"] for item in answer.data["items"]]


async def posts(site: Site, *bodies: dict[str, Any]) -> Client:
    client = await site.client("editor")
    for body in bodies:
        await created(client, **body)
        site.clock.advance(60)
    return client


async def category(client: Client, name: str, parent_id: int | None = None) -> int:
    answer = await client.post("/categories", json={"name": name, "parent_id": parent_id})
    assert answer.status == 201, answer.text
    number: int = answer.data["id"]
    return number


async def test_slug_finds_the_post_that_has_it_and_the_one_that_had_it(site: Site) -> None:
    client = await posts(site, {"slug": "first"}, {"slug": "second"})
    await client.patch("/posts/1", json={"slug": "renamed"})
    assert [await found(client, f"slug={slug}") for slug in ("renamed", "first", "second", "", "FIRST", "no")] == [
        [1], [1], [2], [], [], [],
    ]  # fmt: skip
    await client.patch("/posts/2", json={"slug": "first"})
    assert [await found(client, f"slug={slug}") for slug in ("first", "second")] == [[2], [2]]
    assert await found(await site.client("subscriber"), "slug=first") == []
    await client.delete("/posts/2")
    assert [await found(client, query) for query in ("slug=first", "slug=first&status=trash")] == [[], [2]]


async def test_ids_finds_those_that_may_be_seen(site: Site) -> None:
    client = await posts(site, {}, {"status": "published"}, {}, {})
    await client.delete("/posts/4")
    assert await found(client, "ids=3,1,1,99,4,-5") == [1, 3]
    assert await found(client, "ids=1, 2") == [1, 2]
    assert await found(client, "ids=4&status=trash") == [4]
    assert await found(await site.client("subscriber"), "ids=1,2") == [2]
    newest_first = (await client.get("/posts?ids=1,3,2")).data["items"]
    assert [item["id"] for item in newest_first] == [3, 2, 1]
    assert await found(client, "ids=" + ",".join(map(str, range(1, 101)))) == [1, 2, 3]


async def test_several_values_are_refused_if_one_is_wrong_or_there_are_too_many(site: Site) -> None:
    client = await site.client("editor")
    for query in (
        "ids=",
        "ids=1,",
        "ids=one",
        "ids=1.5",
        "ids=" + "1," * 100 + "1",
        "status=draft,live",
        "status=,draft",
    ):
        answer = await client.get(f"/posts?{query}")
        assert answer.status == 422, query
        assert [each["field"] for each in answer.error["errors"]] == [query.partition("=")[0]]


async def test_moments_of_change_are_exclusive(site: Site) -> None:
    client = await posts(site, {}, {}, {})
    site.clock.advance(3600)
    await client.patch("/posts/1", json={"title": "Another walk along the harbour"})
    await client.patch("/posts/2", json={"is_featured": True})
    changed = [(await client.get(f"/posts/{number}")).data["content_modified_at"] for number in (1, 3)]
    assert await found(client, "updated_after=2026-01-15 12:30:00") == [1, 2]
    assert await found(client, "updated_after=2026-01-15 13:03:00") == []
    assert await found(client, "updated_after=2026-01-15 12:02:00") == [1, 2]
    assert await found(client, "updated_after=2026-01-15 12:01:59") == [1, 2, 3]
    assert await found(client, "updated_after=2026-01-15 12:01:59&updated_before=2026-01-15 12:02:01") == [3]
    for moment, expected in ((changed[0], []), (changed[1], [1]), ("2026-01-15T12:01:00", [1, 3])):
        answer = await client.get("/posts", params={"content_modified_after": moment, "order_dir": "asc"})
        assert ([item["id"] for item in answer.data["items"]], answer.data["total"]) == (expected, len(expected))


async def test_several_statuses_are_any_of_them(site: Site) -> None:
    statuses = ("draft", "pending", "published", "trash")
    client = await posts(site, *({"status": status} for status in statuses))
    assert await found(client, "status=draft,pending") == [1, 2]
    assert await found(client, "status=trash,draft,draft") == [1, 4]
    assert await found(client, "status=" + ",".join(statuses)) == [1, 2, 3, 4]
    assert await found(await site.client("subscriber"), "status=draft,published") == [3]
    assert await found(await site.client("author"), "status=draft,published,trash") == [3]
    assert await found(client, "status=draft,pending&type=page") == []


@pytest.fixture
async def filed(site: Site) -> Client:
    """World above Europe above Rome, and Food by itself; 6 is in the trash."""
    client = await site.client("editor")
    world = await category(client, "World")
    europe = await category(client, "Europe", world)
    rome = await category(client, "Rome", europe)
    food = await category(client, "Food")
    filing: Sequence[tuple[list[int], list[str]]] = (
        ([world], ["Sea"]), ([europe], ["Sea", "Sun"]), ([rome], []), ([world, europe], ["Sun"]), ([food], ["Sea"]),
        ([world], ["Sea"]),
    )  # fmt: skip
    for number, (categories, tags) in enumerate(filing):
        status = "trash" if number == 5 else "published" if number % 2 else "draft"
        await created(client, title=f"A walk, number {number}", categories=categories, tags=tags, status=status)
        site.clock.advance(60)
    return client


async def test_category_finds_its_posts_and_those_of_its_direct_children_once(filed: Client) -> None:
    expected = {"world": [1, 2, 4], "europe": [2, 3, 4], "rome": [3], "food": [5], "none": [], "": []}
    assert {slug: await found(filed, f"category={slug}") for slug in expected} == expected


async def test_category_and_tag_take_several_slugs_and_find_each_post_once(filed: Client) -> None:
    assert await found(filed, "category=world,europe,nothing") == [1, 2, 3, 4]
    assert await found(filed, "category=rome,food") == [3, 5]
    assert await found(filed, "tag=sea") == [1, 2, 5]
    assert await found(filed, "tag=sea,sun") == [1, 2, 4, 5]
    assert await found(filed, "tag=nothing") == []
    assert await found(filed, "category=world&tag=sun") == [2, 4]
    assert await found(filed, "category=world,food&tag=sea,sun") == [1, 2, 4, 5]


async def test_category_goes_with_the_other_filters_and_orders(filed: Client) -> None:
    assert await found(filed, "category=world&status=trash") == [6]
    assert await found(filed, "category=world&status=trash,draft") == [1, 6]
    assert await found(filed, "category=world&status=published") == [2, 4]
    assert await found(filed, "tag=sea&status=draft&type=post") == [1, 5]
    assert await found(filed, "category=world&type=page") == []
    assert await found(filed, "category=world&date_from=2026-01-15 12:01:00") == [2, 4]
    assert await found(filed, "tag=sea&updated_after=2026-01-15 12:01:00") == [5]
    assert await found(filed, "category=world&search=number") == [1, 2, 4]
    for order in ("created_at", "title", "author_name", "updated_at"):
        answer = await filed.get(f"/posts?category=world&order_by={order}&per_page=2")
        assert ([item["id"] for item in answer.data["items"]], answer.data["total"]) == ([4, 2], 3)


async def test_category_shows_each_viewer_what_is_theirs(site: Site, filed: Client) -> None:
    author = await site.client("author")
    await created(author, title="A walk of my own", categories=[1], tags=["Sea"])
    await created(author, title="A private walk", categories=[1], status="published", visibility="private")
    assert await found(author, "category=world") == [2, 4, 7, 8]
    assert await found(author, "category=world&status=draft") == [7]
    assert await found(author, "tag=sea") == [2, 7]
    assert await found(await site.client("subscriber"), "category=world") == [2, 4]
    assert await found(await site.client("subscriber"), "category=world,food") == [2, 4]


async def test_category_follows_posts_and_the_tree(filed: Client) -> None:
    await filed.patch("/posts/1", json={"categories": [4]})
    await filed.delete("/posts/2")
    assert [await found(filed, f"category={slug}") for slug in ("world", "europe", "food")] == [[4], [3, 4], [1, 5]]
    await filed.patch("/categories/rome", json={"parent_id": 1})
    assert [await found(filed, f"category={slug}") for slug in ("world", "europe")] == [[3, 4], [4]]
    await filed.delete("/categories/europe")
    assert [await found(filed, f"category={slug}") for slug in ("world", "europe")] == [[3, 4], []]
