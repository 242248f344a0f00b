"""Categories and tags of posts: what a write files them under, and what `with_relations=1` shows."""

from typing import Any

from cms_host.testing import Client, Site, dump
from cms_posts.testing import NOTED, article, created

WITH = {"with_relations": "1"}


async def a_category(client: Client, name: str, parent_id: int | None = None) -> dict[str, Any]:
    answer = await client.post("/categories", json={"name": name, "parent_id": parent_id})
    assert answer.status == 201, answer.text
    record: dict[str, Any] = answer.data
    return record


def names(terms: list[dict[str, Any]]) -> list[str]:
    return sorted(term["name"] for term in terms)


async def test_create_files_the_post_and_makes_missing_tags(site: Site) -> None:
    client = await site.client("editor")
    city = await a_category(client, "City")
    body = article(categories=[city["id"]], tags=["Harbour", "harbour", " Tide "])
    answer = await client.post("/posts", params=WITH, json=body)
    assert answer.status == 201
    assert answer.data["warnings"] == []
    assert answer.data["post"]["categories"] == [{"id": 1, "name": "City", "slug": "city"}]
    assert names(answer.data["post"]["tags"]) == ["Harbour", "Tide"]
    assert (await client.get("/posts/1", params=WITH)).data == answer.data["post"]


async def test_relations_are_left_out_unless_asked_for(site: Site) -> None:
    client = await site.client("editor")
    record = await created(client, tags=["Harbour"])
    assert "tags" not in record
    assert "categories" not in record
    assert (await client.get("/posts/1", params={"with_relations": "0"})).data == record


async def test_tags_meet_existing_ones_however_they_are_written(site: Site) -> None:
    client = await site.client("editor")
    await created(client, tags=["ISPARTA"])
    await created(client, tags=["ısparta", "isparta "])
    one, two = [(await client.get(f"/posts/{number}", params=WITH)).data["tags"] for number in (1, 2)]
    assert one == two == [{"id": 1, "name": "ISPARTA", "slug": "isparta"}]


async def test_categories_that_are_unknown_or_no_numbers_are_left_out_with_a_warning(site: Site) -> None:
    client = await site.client("author")
    city = await a_category(await site.client("editor"), "City")
    sent = ["City", str(city["id"]), 99, None, {"id": 1}, True, 1.5, city["id"]]
    answer = await client.post("/posts", params=WITH, json=article(categories=sent))
    assert answer.status == 201
    assert [each["id"] for each in answer.data["post"]["categories"]] == [city["id"]]
    warnings = {each["code"]: each for each in answer.data["warnings"]}
    entries = [each["detail"]["entries"] for each in answer.data["warnings"] if each["code"] == "unknown_category"]
    assert set(warnings) == {"unknown_category"}
    assert entries == [["City", None, {"id": 1}, True, 1.5, 99]]


async def test_omitted_stays_null_is_ignored_and_an_empty_list_clears(site: Site) -> None:
    client = await site.client("editor")
    city = await a_category(client, "City")
    await created(client, categories=[city["id"]], tags=["Tide"])
    for body in ({"title": "Another title"}, {"categories": None, "tags": None}):
        seen = (await client.patch("/posts/1", params=WITH, json=body)).data["post"]
        assert (names(seen["categories"]), names(seen["tags"])) == (["City"], ["Tide"])
    seen = (await client.patch("/posts/1", params=WITH, json={"tags": []})).data["post"]
    assert (names(seen["categories"]), seen["tags"]) == (["City"], [])
    seen = (await client.patch("/posts/1", params=WITH, json={"categories": []})).data["post"]
    assert seen["categories"] == []


async def test_categories_and_tags_are_what_readers_see(site: Site) -> None:
    client = await site.client("editor")
    city = await a_category(client, "City")
    bodies = ({"tags": ["Tide"]}, {"categories": [city["id"]]}, {"tags": ["tide"], "categories": [city["id"]]})
    first = (await created(client))["content_modified_at"]
    second, third, fourth = [
        (await client.patch("/posts/1", json=body)).data["post"]["content_modified_at"] for body in bodies
    ]
    assert first < second < third == fourth


async def test_refused_publish_leaves_no_tag_behind(site: Site, database_url: str) -> None:
    client = await site.client("author")
    before = dump(database_url, NOTED)
    answer = await client.post("/posts", json=article(title="Short", status="published", tags=["Brand new"]))
    assert answer.json["error"] == "quality_gate"
    assert dump(database_url, NOTED) == before


async def test_post_counts_follow_states_and_deletion(site: Site) -> None:
    client = await site.client("editor")
    city = await a_category(client, "City")
    await created(client, categories=[city["id"]], tags=["Tide"], status="published")
    await created(client, categories=[city["id"]], tags=["Tide"])

    async def counts() -> tuple[int, int]:
        category, tag = (await client.get("/categories/city")).data, (await client.get("/tags/tide")).data
        return category["post_count"], tag["post_count"]

    assert await counts() == (1, 1)
    await client.post("/posts/2/publish")
    assert await counts() == (2, 2)
    await client.patch("/posts/2", json={"tags": []})
    assert await counts() == (2, 1)
    await client.delete("/posts/1")
    assert await counts() == (1, 0)
    await client.delete("/posts/1", json={"force": True})
    await client.delete("/posts/2", json={"force": True})
    assert await counts() == (0, 0)


async def test_taxonomy_acts_are_no_edits_of_the_posts(site: Site) -> None:
    client = await site.client("editor")
    city = await a_category(client, "City")
    before = await created(client, categories=[city["id"]], tags=["Tide", "Tides"], status="published")
    assert (await client.post("/tags/tides/merge", json={"into": "tide"})).status == 200
    assert (await client.delete("/categories/city")).status == 200
    after = (await client.get("/posts/1", params=WITH)).data
    assert after.pop("categories") == []
    assert names(after.pop("tags")) == ["Tide"]
    del after["seo"]
    assert after == before
    answer = await client.patch("/posts/1", json={"title": before["title"]})
    assert answer.data["post"] == before
