"""Categories (spec, Endpoints: Categories; contract 5)."""

from typing import Any

import pytest

from cms_host.testing import Client, Site
from cms_posts.testing import created, unlike

FIELDS = {"id", "name", "slug", "description", "parent_id", "post_count", "created_at", "updated_at"}


async def made(client: Client, name: str, **fields: Any) -> dict[str, Any]:
    answer = await client.post("/categories", json={"name": name, **fields})
    assert answer.status == 201, answer.text
    record: dict[str, Any] = answer.data
    return record


async def listed(client: Client) -> dict[str, dict[str, Any]]:
    return {item["slug"]: item for item in (await client.get("/categories")).data["items"]}


@pytest.mark.shows("categories.list", "envelope.per_page")
async def test_all_categories_are_on_one_page(editor: Client, subscriber: Client) -> None:
    empty = {"items": [], "total": 0, "pages": 0, "current_page": 1, "per_page": 20}
    assert (await subscriber.get("/categories")).data == empty
    for number in range(23):
        await made(editor, f"Category {number}")
    data = (await subscriber.get("/categories")).data

    assert len({item["slug"] for item in data["items"]}) == 23
    assert (data["total"], data["pages"], data["current_page"], data["per_page"]) == (23, 1, 1, 23)


@pytest.mark.shows("categories.record", "categories.read", "categories.write")
async def test_a_category_is_made_and_read_by_its_slug(site: Site, editor: Client, subscriber: Client) -> None:
    record = await made(editor, "Dünya Haberleri", description="What happens")

    assert record.keys() == FIELDS
    assert {name: record[name] for name in ("name", "slug", "description", "parent_id", "post_count")} == {
        "name": "Dünya Haberleri", "slug": "dunya-haberleri", "description": "What happens", "parent_id": None,
        "post_count": 0,
    }  # fmt: skip
    assert (record["created_at"], record["updated_at"]) == ("2026-01-15 12:00:00", "2026-01-15 12:00:00")
    assert (await subscriber.get("/categories/dunya-haberleri")).data == {**record, "children": []}
    assert (await listed(subscriber))["dunya-haberleri"] == record


@pytest.mark.shows("categories.read", "categories.record")
async def test_the_detail_shows_the_children(editor: Client) -> None:
    parent = await made(editor, "World")
    child = await made(editor, "Asia", parent_id=parent["id"])
    await made(editor, "Japan", parent_id=child["id"])

    assert [each["slug"] for each in (await editor.get("/categories/world")).data["children"]] == ["asia"]
    assert "children" not in (await listed(editor))["world"]


@pytest.mark.shows("categories.unknown")
async def test_an_unknown_slug_is_404(editor: Client) -> None:
    await made(editor, "World")
    for slug in (
        "nothing",
        "1",
        "World",
        "%00",
        "a%2Fb",
    ):
        for method in ("GET", "PUT", "PATCH", "DELETE"):
            answer = await editor.request(method, f"/categories/{slug}", json=None if method == "GET" else {})
            assert (answer.status, answer.error["code"]) == (404, 404)


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
@pytest.mark.shows("categories.write")
async def test_a_category_changes_in_what_is_sent(site: Site, editor: Client, method: str) -> None:
    parent = await made(editor, "World")
    before = await made(editor, "Asia", description="Far")
    site.clock.advance(60)
    answer = await editor.request(method, "/categories/asia", json={"parent_id": parent["id"]})
    assert (answer.status, answer.data["parent_id"], answer.data["description"]) == (200, parent["id"], "Far")
    assert (answer.data["created_at"], answer.data["updated_at"]) == (before["created_at"], "2026-01-15 12:01:00")
    answer = await editor.request(method, "/categories/asia", json={"name": "Asya", "slug": "asya"})
    assert (answer.data["name"], answer.data["slug"]) == ("Asya", "asya")
    assert (await editor.get("/categories/asia")).status == 404
    assert (await editor.request(method, "/categories/asya", json={"parent_id": None})).data["parent_id"] is None


@pytest.mark.parametrize("role", ["author", "subscriber"])
@pytest.mark.shows("categories.write", "role.moderation.taxonomy")
async def test_writes_need_an_editor(site: Site, editor: Client, role: str) -> None:
    await made(editor, "World")
    client = await site.client(role)
    for method, path in (("POST", ""), ("PUT", "/world"), ("PATCH", "/world"), ("DELETE", "/world")):
        answer = await client.request(method, f"/categories{path}", json={"name": "Other"})
        assert (answer.status, answer.error["message"]) == (403, "Insufficient role for this operation")
    assert list(await listed(client)) == ["world"]


@pytest.mark.shows("errors.409.category")
async def test_a_category_that_exists_is_409(editor: Client) -> None:
    await made(editor, "Dünya")
    await made(editor, "Spor")
    for name in ("Dünya", "dünya", "DÜNYA"):
        answer = await editor.post("/categories", json={"name": name})
        assert (answer.status, answer.error["code"]) == (409, 409)
    assert (await editor.patch("/categories/spor", json={"name": "Dünya"})).status == 409
    assert (await editor.patch("/categories/spor", json={"name": "Spor"})).status == 200
    assert (await editor.get("/categories")).data["total"] == 2


@pytest.mark.shows("categories.write", "errors.400.missing", "errors.fields")
async def test_a_category_needs_a_name(editor: Client) -> None:
    for body in ({}, {"name": ""}, {"name": " "}, {"name": 5}):
        answer = await editor.post("/categories", json=body)
        assert (answer.status, answer.error["errors"][0]["field"]) == (400, "name")
    assert (await editor.post("/categories", json={"name": "x", "parent_id": 99})).status == 422


@pytest.mark.shows("categories.delete")
async def test_deleting_moves_children_up_and_frees_posts(editor: Client) -> None:
    world = await made(editor, "World")
    asia = await made(editor, "Asia", parent_id=world["id"])
    await made(editor, "Japan", parent_id=asia["id"])
    await created(editor, categories=[world["id"], asia["id"]])
    answer = await editor.delete("/categories/asia")
    assert (answer.status, answer.data["success"]) == (200, True)
    assert (await listed(editor))["japan"]["parent_id"] == world["id"]
    kept = (await editor.get("/posts/1?with_relations=1")).data["categories"]
    assert [each["slug"] for each in kept] == ["world"]
    await editor.delete("/categories/world")
    assert (await listed(editor))["japan"]["parent_id"] is None
    assert (await editor.get("/posts/1?with_relations=1")).data["categories"] == []


@pytest.mark.shows("categories.loop")
async def test_a_category_below_itself_is_422(editor: Client) -> None:
    one = await made(editor, "One")
    two = await made(editor, "Two", parent_id=one["id"])
    three = await made(editor, "Three", parent_id=two["id"])
    for parent in (one, two, three):
        answer = await editor.patch("/categories/one", json={"parent_id": parent["id"]})
        assert (answer.status, answer.error["errors"][0]["field"]) == (422, "parent_id")
    assert (await listed(editor))["one"]["parent_id"] is None


@pytest.mark.shows("categories.count")
async def test_published_posts_are_counted_and_no_others(editor: Client) -> None:
    chosen = (await made(editor, "World"))["id"]

    async def count() -> int:
        assert (await editor.get("/categories/world")).data["post_count"] == (await listed(editor))["world"][
            "post_count"
        ]
        return int((await listed(editor))["world"]["post_count"])

    for status in ("draft", "pending", "published", "trash"):
        await created(editor, categories=[chosen], status=status, title=unlike(status))
    await created(editor, categories=[chosen], title=unlike("scheduled"), scheduled_at="2026-06-01 09:30:00")
    assert await count() == 1
    await editor.post("/posts/1/publish")
    assert await count() == 2
    await editor.patch("/posts/1", json={"categories": []})
    assert await count() == 1
    await editor.delete("/posts/3")
    assert await count() == 0
