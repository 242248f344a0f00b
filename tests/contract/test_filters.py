"""Categories and tags in lists of posts (spec, GET /api/v1/posts; contract 4)."""

from typing import Any

import pytest

from cms_host.testing import Client, Site
from cms_posts.testing import created

from .test_relations import category


async def ids(client: Client, query: str) -> list[int]:
    data = (await client.get(f"/posts?{query}")).data
    assert data["total"] == len(data["items"])
    return [item["id"] for item in data["items"]]


@pytest.mark.shows("list.category", "list.category.children")
async def test_a_category_matches_itself_and_its_children_each_post_once(editor: Client) -> None:
    parent = await category(editor, "World")
    child = await category(editor, "Asia", parent_id=parent)
    grandchild = await category(editor, "Japan", parent_id=child)
    other = await category(editor, "Sports")
    for chosen in ([parent], [child], [parent, child], [grandchild], [other], []):
        await created(editor, categories=chosen)

    assert await ids(editor, "category=world") == [3, 2, 1]
    assert await ids(editor, "category=asia") == [4, 3, 2]
    assert await ids(editor, "category=japan") == [4]
    assert await ids(editor, "category=nothing") == []
    assert await ids(editor, f"category={parent}") == []


@pytest.mark.shows("list.tag")
async def test_a_tag_is_matched_by_its_slug(editor: Client) -> None:
    for names in (["Deniz Kıyısı"], ["Deniz Kıyısı", "Kara"], []):
        await created(editor, tags=names)

    assert await ids(editor, "tag=deniz-kiyisi") == [2, 1]
    assert await ids(editor, "tag=kara") == [2]
    assert await ids(editor, "tag=nothing") == []


@pytest.mark.shows("list.with_relations.batched")
async def test_relations_of_a_page_take_two_statements_at_the_most(
    site: Site, editor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = [await category(editor, name) for name in ("World", "Sports", "Sea")]
    for number in range(12):
        await created(editor, categories=numbers[: number % 4], tags=[f"Tag {n}" for n in range(number % 3)])
    counted = []
    run = site.host.db.all

    async def counting(query: Any, **values: Any) -> Any:
        counted.append(query)
        return await run(query, **values)

    monkeypatch.setattr(site.host.db, "all", counting)
    plain, related = await statements(editor, "", counted), await statements(editor, "&with_relations=1", counted)
    assert 0 < plain <= related <= plain + 2


async def statements(client: Client, query: str, counted: list[Any]) -> int:
    await client.get(f"/posts?per_page=100{query}")
    counted.clear()
    items = (await client.get(f"/posts?per_page=100{query}")).data["items"]
    assert (len(items), sum(len(item.get("tags", ())) for item in items)) == (12, 12 if query else 0)
    return len(counted)


@pytest.mark.shows("list.with_relations", "list.with_relations.everywhere", "post.categories", "post.tags")
async def test_items_have_relations_only_when_asked_for(editor: Client) -> None:
    number = await category(editor, "News")
    await created(editor, categories=[number], tags=["Sea"])
    (item,) = (await editor.get("/posts?with_relations=1")).data["items"]
    assert item["categories"] == [{"id": number, "name": "News", "slug": "news"}]
    assert [(tag["name"], tag["slug"]) for tag in item["tags"]] == [("Sea", "sea")]
    assert "seo" not in item
    for query in ("", "?with_relations=0"):
        (item,) = (await editor.get(f"/posts{query}")).data["items"]
        assert item.keys() & {"categories", "tags", "seo"} == set()


@pytest.mark.shows("list.category", "list.category.children", "categories.delete", "categories.write")
async def test_a_category_that_moves_takes_its_posts_along(editor: Client) -> None:
    world, sports = await category(editor, "World"), await category(editor, "Sports")
    asia = await category(editor, "Asia", parent_id=world)
    japan = await category(editor, "Japan", parent_id=asia)
    for chosen in ([asia], [japan], [world, japan]):
        await created(editor, categories=chosen)

    async def found() -> dict[str, list[int]]:
        return {slug: await ids(editor, f"category={slug}") for slug in ("world", "sports", "asia", "japan")}

    assert await found() == {"world": [3, 1], "sports": [], "asia": [3, 2, 1], "japan": [3, 2]}
    await editor.patch("/categories/japan", json={"parent_id": sports})
    assert await found() == {"world": [3, 1], "sports": [3, 2], "asia": [1], "japan": [3, 2]}
    await editor.patch("/categories/japan", json={"parent_id": None})
    assert await found() == {"world": [3, 1], "sports": [], "asia": [1], "japan": [3, 2]}
    await editor.patch("/categories/japan", json={"parent_id": asia})
    await editor.delete("/categories/asia")
    assert [await ids(editor, f"category={slug}") for slug in ("world", "japan", "asia")] == [[3, 2], [3, 2], []]
    await editor.patch("/posts/2", json={"categories": [sports]})
    assert [await ids(editor, f"category={slug}") for slug in ("world", "sports", "japan")] == [[3], [2], [3]]
