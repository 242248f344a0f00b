"""Tags (contract 5)."""

from typing import Any

import pytest

from cms_host.testing import Client, Site
from cms_posts.testing import created, unlike


async def made(client: Client, name: str, **fields: Any) -> dict[str, Any]:
    answer = await client.post("/tags", json={"name": name, **fields})
    assert answer.status == 201, answer.text
    record: dict[str, Any] = answer.data
    return record


@pytest.mark.shows("categories.tags.list", "categories.tags.record", "categories.tags.read")
async def test_tags_are_listed_read_and_searched(editor: Client, subscriber: Client) -> None:
    record = await made(editor, "Deniz Kıyısı")
    await made(editor, "Kara")

    assert record.keys() == {"id", "name", "slug", "post_count", "created_at"}
    assert (record["name"], record["slug"], record["post_count"]) == ("Deniz Kıyısı", "deniz-kiyisi", 0)
    assert record["created_at"] == "2026-01-15 12:00:00"
    assert (await subscriber.get("/tags/deniz-kiyisi")).data == record
    for query, names in (("", {"Deniz Kıyısı", "Kara"}), ("search=KIYISI", {"Deniz Kıyısı"}), ("search=x", set())):
        data = (await subscriber.get(f"/tags?{query}")).data
        assert {item["name"] for item in data["items"]} == names
        assert data["total"] == len(names)
    data = (await subscriber.get("/tags?per_page=1&page=2")).data
    assert (len(data["items"]), data["total"], data["pages"], data["current_page"]) == (1, 2, 2, 2)
    assert (await subscriber.get("/tags/nothing")).status == 404


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
@pytest.mark.shows("categories.tags.write")
async def test_tags_are_changed_and_deleted(editor: Client, method: str) -> None:
    await made(editor, "Sea")
    await created(editor, tags=["Sea", "Land"])
    answer = await editor.request(method, "/tags/sea", json={"name": "Ocean", "slug": "ocean"})
    assert (answer.status, answer.data["name"], answer.data["slug"]) == (200, "Ocean", "ocean")
    names = [tag["name"] for tag in (await editor.get("/posts/1?with_relations=1")).data["tags"]]
    assert sorted(names) == ["Land", "Ocean"]
    assert (await editor.delete("/tags/ocean")).status == 200
    assert (await editor.get("/tags/ocean")).status == 404
    assert [tag["name"] for tag in (await editor.get("/posts/1?with_relations=1")).data["tags"]] == ["Land"]


@pytest.mark.parametrize("role", ["author", "subscriber"])
@pytest.mark.shows("categories.tags.write", "role.moderation.taxonomy")
async def test_writes_need_an_editor(site: Site, editor: Client, role: str) -> None:
    await made(editor, "Sea")
    client = await site.client(role)
    asked = [("POST", ""), ("PUT", "/sea"), ("PATCH", "/sea"), ("DELETE", "/sea"), ("POST", "/sea/merge")]
    for method, path in asked:
        answer = await client.request(method, f"/tags{path}", json={"name": "x", "into": "sea"})
        assert (answer.status, answer.error["message"]) == (403, "Insufficient role for this operation")
    assert (await client.get("/tags/sea")).status == 200


@pytest.mark.shows("errors.409.tag", "values.fold.i")
async def test_a_tag_that_exists_is_409(editor: Client) -> None:
    await made(editor, "İstanbul")
    await made(editor, "Kara")
    for name in ("İstanbul", "istanbul", "ISTANBUL", "ıstanbul"):
        answer = await editor.post("/tags", json={"name": name})
        assert (answer.status, answer.error["code"]) == (409, 409)
    assert (await editor.patch("/tags/kara", json={"name": "istanbul"})).status == 409
    assert (await editor.get("/tags")).data["total"] == 2


@pytest.mark.shows("categories.tags.merge", "categories.tags.record")
async def test_merging_moves_the_posts_and_ends_the_tag(editor: Client) -> None:
    for names in (["Sea"], ["Sea", "Ocean"], ["Ocean"], ["Land"]):
        await created(editor, tags=names, status="published", title=unlike(names))
    answer = await editor.post("/tags/sea/merge", json={"into": "ocean"})

    assert answer.status == 200
    assert (await editor.get("/tags/sea")).status == 404
    assert (await editor.get("/tags/ocean")).data["post_count"] == 3
    found = [
        [tag["name"] for tag in item["tags"]] for item in (await editor.get("/posts?with_relations=1")).data["items"]
    ]
    assert found == [["Land"], ["Ocean"], ["Ocean"], ["Ocean"]]
    assert (await editor.post("/tags/land/merge", json={"into": "nothing"})).status in (404, 422)
    assert (await editor.post("/tags/nothing/merge", json={"into": "land"})).status == 404
    assert (await editor.post("/tags/land/merge", json={})).status == 400
    assert (await editor.post("/tags/land/merge", json={"into": "land"})).status == 422
    assert (await editor.get("/tags/land")).data["post_count"] == 1
