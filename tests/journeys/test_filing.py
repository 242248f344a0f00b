"""Categories and tags are arranged anew while posts are under them, and while others write these posts."""

import asyncio
import random
from collections import Counter
from typing import Any

from cms_host.testing import Client, MakeSite, Site, dump
from cms_posts.testing import article, created, unlike

WITH = {"with_relations": "1"}


async def category(client: Client, name: str, parent_id: int | None = None) -> int:
    answer = await client.post("/categories", json={"name": name, "parent_id": parent_id})
    assert answer.status == 201, answer.text
    number: int = answer.data["id"]
    return number


async def counts(client: Client, family: str) -> dict[str, int]:
    items = (await client.get(f"/{family}?per_page=100")).data["items"]
    return {item["slug"]: item["post_count"] for item in items}


async def terms(client: Client, post_id: int) -> tuple[list[str], list[str]]:
    record = (await client.get(f"/posts/{post_id}", params=WITH)).data
    return tuple(sorted(each["slug"] for each in record[kind]) for kind in ("categories", "tags"))  # type: ignore[return-value]


def assert_in_step(url: str) -> None:
    """What parents list is what is in their children, and the kept counts are those of the rows."""
    tables = dump(url)
    above = {row[0]: row[5] for row in tables["categories"]}
    rows = tables["post_categories"]
    direct = {(term, post) for term, post, is_direct, *_ in rows if is_direct}
    inherited = {(above[term], post) for term, post in direct if above[term] is not None} - direct
    assert {(term, post) for term, post, is_direct, *_ in rows if not is_direct} == inherited
    for links, kept in (("post_categories", "post_category_counts"), ("post_tags", "post_tag_counts")):
        counted = Counter((row[0], *row[2:6]) for row in tables[links])
        summed: Counter[Any] = Counter()
        for *key, _, number in tables[kept]:
            summed[tuple(key)] += number
        assert {key: number for key, number in summed.items() if number} == counted


async def test_counts_are_of_published_posts_and_of_each_category_alone(site: Site, database_url: str) -> None:
    client = await site.client("editor")
    parent = await category(client, "News")
    child = await category(client, "Local", parent)
    await created(client, categories=[child], tags=["Tide", "Harbour"], status="published")
    await created(client, categories=[parent, child], tags=["tide"], status="published", title="Another long walk")
    await created(client, categories=[parent], tags=["Tide"])

    assert await counts(client, "categories") == {"local": 2, "news": 1}
    assert await counts(client, "tags") == {"harbour": 1, "tide": 2}
    assert [child["post_count"] for child in (await client.get("/categories/news")).data["children"]] == [2]
    assert_in_step(database_url)


async def test_deleted_category_leaves_its_posts_and_hands_its_children_up(site: Site, database_url: str) -> None:
    client = await site.client("editor")
    top = await category(client, "Top")
    middle = await category(client, "Middle", top)
    low = await category(client, "Low", middle)
    await created(client, categories=[middle])
    await created(client, categories=[low], status="published")
    await client.delete("/categories/middle")

    assert [await terms(client, number) for number in (1, 2)] == [([], []), (["low"], [])]
    assert await counts(client, "categories") == {"top": 0, "low": 1}
    assert_in_step(database_url)


async def test_moved_category_takes_its_posts_along(site: Site, database_url: str) -> None:
    client = await site.client("editor")
    one, other = await category(client, "One"), await category(client, "Other")
    child = await category(client, "Child", one)
    await created(client, categories=[child, other], status="published")
    await created(client, categories=[child])
    for parent_id in (other, None, one):
        await client.patch("/categories/child", json={"parent_id": parent_id})
        assert_in_step(database_url)
    assert await counts(client, "categories") == {"child": 1, "one": 0, "other": 1}


async def test_merged_tag_is_carried_once(site: Site, database_url: str) -> None:
    client = await site.client("editor")
    for number, tags in enumerate((["Colour"], ["Color"], ["Colour", "Color"], ["Red"])):
        await created(client, tags=tags, status="published", title=unlike(number))
    answer = await client.post("/tags/colour/merge", json={"into": "color"})

    assert answer.data["post_count"] == 3
    assert [(await terms(client, number))[1] for number in (1, 2, 3, 4)] == [["color"]] * 3 + [["red"]]
    assert_in_step(database_url)


async def test_deleted_tag_is_carried_by_nothing(site: Site, database_url: str) -> None:
    client = await site.client("editor")
    await created(client, tags=["Tide", "Harbour"])
    await client.delete("/tags/tide")

    assert await terms(client, 1) == ([], ["harbour"])
    assert_in_step(database_url)


async def test_arranging_and_writing_at_once_on_two_hosts_stays_in_step(
    site: Site, make_site: MakeSite, database_url: str
) -> None:
    clients = [await site.client("editor"), await (await make_site()).client("editor", "other")]
    categories = [await category(clients[0], f"Category {number}") for number in range(4)]
    for number in range(4):
        await created(clients[0], categories=[categories[number]], tags=[f"Tag {number}"])
    chance = random.Random(3)  # noqa: S311 - nothing here is a secret.

    def act(number: int) -> Any:
        client, kind = clients[number % 2], chance.randrange(4)
        which, other = chance.sample(categories, 2)
        if kind == 0:
            return client.patch(f"/categories/category-{which - 1}", json={"parent_id": other})
        if kind == 1:
            return client.post(f"/tags/tag-{which - 1}/merge", json={"into": f"tag-{other - 1}"})
        tags = [f"Tag {chance.randrange(4)}", f"Tag {chance.randrange(4)}"]
        if kind == 2:
            return client.patch(f"/posts/{which}", json={"categories": [which, other], "tags": tags})
        return client.post("/posts", json=article(categories=[which], tags=tags))

    answers = await asyncio.gather(*(act(number) for number in range(60)))

    assert {answer.status for answer in answers} <= {200, 201, 404, 422}, [a.text for a in answers if a.status >= 500]
    assert_in_step(database_url)
