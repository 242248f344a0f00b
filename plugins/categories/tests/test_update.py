"""PUT and PATCH /categories/{slug}: changing, renaming, moving."""

import asyncio
from typing import Any

import pytest

from cms_categories.api import TREE_LOCK, Shelves
from cms_categories.service import CategoryService
from cms_host.testing import MakeSite, Site, assert_documented, dump

from .conftest import SQLITE_ALONE, Shelf, created, tree


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
async def test_update_changes_only_what_is_sent(site: Site, method: str) -> None:
    client = await site.client("editor")
    before = await created(client, "News", description="What happened.")
    site.clock.advance(60)
    answer = await client.request(method, "/categories/news", json={"name": " <b>World</b> news "})

    assert answer.status == 200
    assert answer.data == {**before, "name": "World news", "updated_at": "2026-01-15 12:01:00"}
    assert (await client.get("/categories/news")).data == {**answer.data, "children": []}
    await assert_documented(site, method, "/categories/{slug}", answer)


async def test_update_with_what_is_there_already_moves_nothing(site: Site, database_url: str) -> None:
    client = await site.client("editor")
    await created(client, "Parent")
    record = await created(client, "News", description="d", parent_id=1)
    before = dump(database_url)
    site.clock.advance(60)
    sent = {name: record[name] for name in ("name", "slug", "description", "parent_id")}

    assert (await client.put("/categories/news", json=sent)).data == record
    assert (await client.patch("/categories/news", json={})).data == record
    assert dump(database_url)["categories"] == before["categories"]


@SQLITE_ALONE
@pytest.mark.parametrize(("role", "status"), [("subscriber", 403), ("author", 403), ("editor", 200), ("admin", 200)])
async def test_update_is_for_editors_and_above(site: Site, role: str, status: int) -> None:
    await created(await site.client("editor", "first"), "News")

    assert (await (await site.client(role)).patch("/categories/news", json={"name": "World"})).status == status


@pytest.mark.parametrize(
    ("wish", "slug"),
    [("Other One", "other-one"), ("news-2", "news-2"), ("news", "news-2"), ("☂", "news-2"), ("", "news-2")],
)
async def test_update_gives_a_slug_that_is_free(site: Site, wish: str, slug: str) -> None:
    client = await site.client("editor")
    await created(client, "News")
    await created(client, "News of the world", slug="news")
    answer = await client.patch("/categories/news-2", json={"slug": wish})

    assert answer.data["slug"] == slug
    assert (await client.get(f"/categories/{slug}")).status == 200
    assert (await client.get("/categories/news-2")).status == (200 if slug == "news-2" else 404)


async def test_update_may_spell_the_own_name_anew(site: Site) -> None:
    client = await site.client("editor")
    await created(client, "News")

    assert (await client.patch("/categories/news", json={"name": "NEWS"})).data["name"] == "NEWS"


@pytest.mark.parametrize("sent", [{"name": "wORLD"}, {"parent_id": 1}, {"name": "Sport", "parent_id": None}])
async def test_update_into_a_place_that_has_the_name_is_409_and_writes_nothing(
    site: Site, database_url: str, sent: dict[str, Any]
) -> None:
    client = await site.client("editor")
    for name, parent_id in (("Parent", None), ("News", 1), ("Other", None), ("News", 3), ("World", 3), ("Sport", None)):
        await created(client, name, parent_id=parent_id)
    before = dump(database_url)
    answer = await client.patch("/categories/news-2", json=sent)

    assert (answer.status, answer.error["message"]) == (409, "A category of this name is in this place already")
    assert dump(database_url) == before


@SQLITE_ALONE
@pytest.mark.parametrize(
    ("sent", "status", "field"),
    [
        ({"name": ""}, 400, "name"),
        ({"name": "<i> </i>"}, 400, "name"),
        ({"name": "x" * 201}, 422, "name"),
        ({"parent_id": "2"}, 400, "parent_id"),
        ({"parent_id": 7}, 422, "parent_id"),
        ({"slug": None}, 400, "slug"),
    ],
)
async def test_update_refuses_fields_that_will_not_do(
    site: Site, sent: dict[str, Any], status: int, field: str
) -> None:
    client = await site.client("editor")
    await created(client, "News")
    answer = await client.patch("/categories/news", json=sent)

    assert (answer.status, answer.error["errors"][0]["field"]) == (status, field)


@SQLITE_ALONE
async def test_update_of_nothing_is_404_before_its_body_is_read(site: Site) -> None:
    client = await site.client("editor")
    answer = await client.patch("/categories/nothing", data=b"{", headers={"Content-Type": "application/json"})

    assert answer.status == 404


async def test_move_tells_those_who_keep_posts_about_both_parents(site: Site) -> None:
    client = await site.client("editor")
    for name, parent_id in (("A", None), ("B", None), ("C", 1)):
        await created(client, name, parent_id=parent_id)
    site.provide(Shelves, shelf := Shelf({}))
    await client.patch("/categories/c", json={"parent_id": 2})
    await client.patch("/categories/c", json={"parent_id": 2, "name": "Renamed"})
    await client.patch("/categories/c", json={"parent_id": None})
    await client.patch("/categories/c", json={"parent_id": 1})

    assert shelf.rearranged == [[1, 2], [2], [1]]
    assert await tree(client) == {"a": None, "b": None, "c": "a"}


async def test_move_into_itself_or_below_is_422_and_writes_nothing(site: Site, database_url: str) -> None:
    client = await site.client("editor")
    for name, parent_id in (("A", None), ("B", 1), ("C", 2)):
        await created(client, name, parent_id=parent_id)
    before = dump(database_url)
    for parent_id in (1, 2, 3):
        answer = await client.patch("/categories/a", json={"parent_id": parent_id})
        assert (answer.status, answer.error["errors"][0]["field"]) == (422, "parent_id")
    assert dump(database_url) == before


async def test_moves_that_race_on_two_hosts_close_no_loop(site: Site, make_site: MakeSite) -> None:
    one, other = await site.client("editor"), await (await make_site()).client("editor", "other")
    for name in "abc":
        await created(one, name)
    answers = await asyncio.gather(
        one.patch("/categories/a", json={"parent_id": 2}),
        other.patch("/categories/b", json={"parent_id": 3}),
        one.patch("/categories/c", json={"parent_id": 1}),
    )

    assert sorted(answer.status for answer in answers) == [200, 200, 422]
    assert list((await tree(one)).values()).count(None) == 1


async def test_move_in_a_tree_of_any_depth_comes_to_an_end(site: Site) -> None:
    client = await site.client("editor")
    async with site.host.unit().write(TREE_LOCK) as unit:
        for depth in range(300):
            await unit.get(CategoryService).create({"name": f"Level {depth}", "parent_id": depth or None})
    await created(client, "Other")

    assert (await client.patch("/categories/level-0", json={"parent_id": 300})).status == 422
    assert (await client.patch("/categories/other", json={"parent_id": 300})).status == 200
    assert (await client.patch("/categories/level-1", json={"parent_id": None})).status == 200
