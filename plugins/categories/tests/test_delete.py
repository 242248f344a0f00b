"""DELETE /categories/{slug}."""

import pytest

from cms_categories.api import Shelves
from cms_host.testing import Site, assert_documented

from .conftest import SQLITE_ALONE, Shelf, created, tree


async def test_delete_moves_the_children_up(site: Site) -> None:
    client = await site.client("editor")
    for name, parent_id in (("A", None), ("B", 1), ("C", 2), ("D", 2), ("E", 3)):
        await created(client, name, parent_id=parent_id)
    site.clock.advance(60)
    answer = await client.delete("/categories/b")

    assert (answer.status, answer.data) == (200, {"success": True})
    assert await tree(client) == {"a": None, "c": "a", "d": "a", "e": "c"}
    updated = {item["slug"]: item["updated_at"][-5:] for item in (await client.get("/categories")).data["items"]}
    assert updated == {"a": "00:00", "c": "01:00", "d": "01:00", "e": "00:00"}
    await assert_documented(site, "DELETE", "/categories/{slug}", answer)


async def test_delete_at_the_top_leaves_its_children_there(site: Site) -> None:
    client = await site.client("admin")
    await created(client, "A")
    await created(client, "B", parent_id=1)
    await client.delete("/categories/a")

    assert await tree(client) == {"b": None}
    assert (await client.get("/categories/a")).status == 404
    assert (await client.delete("/categories/a")).status == 404


async def test_delete_lets_children_meet_others_of_their_name(site: Site) -> None:
    client = await site.client("editor")
    for name, parent_id in (("A", None), ("News", 1), ("News", None)):
        await created(client, name, parent_id=parent_id)

    assert (await client.delete("/categories/a")).status == 200
    assert await tree(client) == {"news": None, "news-2": None}
    answer = await client.patch("/categories/news", json={"description": "The local ones.", "name": "NEWS"})
    assert answer.status == 200


async def test_delete_tells_those_who_keep_posts_about_the_parent(site: Site) -> None:
    client = await site.client("editor")
    for name, parent_id in (("A", None), ("B", 1), ("C", 2)):
        await created(client, name, parent_id=parent_id)
    site.provide(Shelves, shelf := Shelf({}))
    await client.delete("/categories/b")
    await client.delete("/categories/a")

    assert shelf.rearranged == [[1]]


async def test_delete_frees_slug_and_name_but_not_the_id(site: Site) -> None:
    client = await site.client("editor")
    await created(client, "A")
    await client.delete("/categories/a")
    again = await created(client, "A")

    assert (again["slug"], again["id"]) == ("a", 2)


@SQLITE_ALONE
@pytest.mark.parametrize(("role", "status"), [("subscriber", 403), ("author", 403), ("editor", 200), ("admin", 200)])
async def test_delete_is_for_editors_and_above(site: Site, role: str, status: int) -> None:
    await created(await site.client("editor", "first"), "A")

    assert (await (await site.client(role)).delete("/categories/a")).status == status
