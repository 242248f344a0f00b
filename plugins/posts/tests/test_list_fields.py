"""What the list answers with: chosen fields, relations, totals or none, a page or what is next to an id."""

from typing import Any

import pytest

from cms_host.testing import Client, Site, assert_documented, listening_to_statements
from cms_posts.testing import created


@pytest.fixture
async def client(site: Site) -> Client:
    client = await site.client("editor")
    for number in range(1, 6):
        await created(client, title=f"Post number {number}", tags=["Sea", "Sun"], editorial={"sources": ["A book"]})
        site.clock.advance(60)
    return client


async def data(client: Client, query: str) -> dict[str, Any]:
    answer = await client.get(f"/posts?{query}")
    assert answer.status == 200, answer.text
    found: dict[str, Any] = answer.data
    return found


def ids(found: dict[str, Any]) -> list[int]:
    return [item["id"] for item in found["items"]]


async def test_fields_are_the_only_ones_and_as_in_the_whole_record(client: Client) -> None:
    (whole,) = (await data(client, "ids=3&with_relations=1"))["items"]
    chosen = [["id", "title"], ["review_valid", "scheduled_at"], ["editorial", "author_name"], ["tags", "id"]]
    for names in (*chosen, *([name] for name in whole)):
        found = await data(client, f"ids=3&fields={','.join(names)}")
        assert found["items"] == [{name: whole[name] for name in names}]
        assert found["total"] == 1
    assert (await data(client, "fields=id,id&with_relations=1&per_page=1"))["items"] == [{"id": 5}]


async def test_fields_that_are_unknown_are_refused(client: Client) -> None:
    for fields in ("", "id,", "id,nothing", "password_hash", "approved", "seo", "total"):
        answer = await client.get(f"/posts?fields={fields}")
        assert answer.status == 422, fields
        assert [each["field"] for each in answer.error["errors"]] == ["fields"]


async def test_fields_that_need_no_text_leave_it_in_the_database(site: Site, client: Client) -> None:
    with listening_to_statements(site.host.db) as ran:
        await data(client, "fields=id,title")
        assert len(ran) == 2
        assert "posts.content" not in ran[1].sql
        assert "users" not in ran[1].sql
        await data(client, "fields=content")
        assert "posts.content" in ran[3].sql


async def test_relations_are_there_when_asked_for(site: Site, client: Client) -> None:
    assert not {"categories", "tags"} & (await data(client, ""))["items"][0].keys()
    await client.post("/categories", json={"name": "City"})
    await client.patch("/posts/5", json={"categories": [1], "tags": []})
    found = await client.get("/posts?with_relations=1&per_page=2")
    assert [item["categories"] for item in found.data["items"]] == [[{"id": 1, "name": "City", "slug": "city"}], []]
    assert [[tag["name"] for tag in item["tags"]] for item in found.data["items"]] == [[], ["Sea", "Sun"]]
    await assert_documented(site, "GET", "/posts", found)
    assert (await data(client, "with_relations=1&status=trash"))["items"] == []


async def test_with_total_0_leaves_the_numbers_out(site: Site, client: Client) -> None:
    found = await client.get("/posts?with_total=0&per_page=2&page=2")
    assert found.data.keys() == {"items", "current_page", "per_page"}
    assert ids(found.data) == [3, 2]
    await assert_documented(site, "GET", "/posts", found)
    assert (await data(client, "with_total=0&page=9")) == {"items": [], "current_page": 9, "per_page": 20}
    assert (await data(client, "with_total=1"))["total"] == 5


KEYSETS = {
    "before_id=4": [3, 2], "before_id=4&order_dir=asc": [2, 3], "after_id=2": [4, 3],
    "after_id=2&order_dir=asc": [3, 4], "after_id=5": [], "before_id=1": [], "before_id=0": [],
    "after_id=-1&order_dir=asc": [1, 2], "before_id=99999999999999999999": [5, 4], "after_id=2&page=3": [4, 3],
}  # fmt: skip


async def test_keyset_gives_what_is_next_to_the_id(client: Client) -> None:
    for query, expected in KEYSETS.items():
        found = await data(client, f"order_by=id&per_page=2&{query}")
        assert ids(found) == expected, query
        assert found.keys() == {"items", "total", "pages", "per_page"}
        assert (found["total"], found["pages"]) == (5, 3)


@pytest.mark.parametrize("direction", ["asc", "desc"])
@pytest.mark.parametrize("cursor", ["after_id", "before_id"])
async def test_keyset_walks_through_the_filtered_whole(client: Client, cursor: str, direction: str) -> None:
    await client.delete("/posts/3")
    seen: list[int] = []
    at = 0 if cursor == "after_id" else 99
    while found := await data(client, f"order_by=id&order_dir={direction}&per_page=1&status=draft&{cursor}={at}"):
        if not found["items"]:
            break
        assert found["total"] == 4
        (at,) = ids(found)
        seen.append(at)
    assert seen == ([1, 2, 4, 5] if cursor == "after_id" else [5, 4, 2, 1])


async def test_keyset_is_refused_where_it_has_no_meaning(client: Client) -> None:
    wrong = {
        "after_id=1&before_id=5&order_by=id": "before_id",
        "after_id=1": "after_id",
        "before_id=1&order_by=created_at": "before_id",
        "before_id=x&order_by=id": "before_id",
    }
    for query, field in wrong.items():
        answer = await client.get(f"/posts?{query}")
        assert answer.status == 422, query
        assert [each["field"] for each in answer.error["errors"]] == [field]


async def test_keyset_without_a_total_is_items_and_their_number(site: Site, client: Client) -> None:
    answer = await client.get("/posts?order_by=id&after_id=0&with_total=0&per_page=1")
    assert answer.data.keys() == {"items", "per_page"}
    await assert_documented(site, "GET", "/posts", answer)


async def test_password_post_of_another_shows_no_text_in_lists(site: Site, client: Client) -> None:
    author = await site.client("author")
    await created(author, title="Guarded by a word", visibility="password", password="sesame", status="published")
    for reader, shown in ((author, True), (client, True), (await site.client("author", "other"), False)):
        for query in ("ids=6", "ids=6&fields=content,excerpt"):
            (item,) = (await data(reader, query))["items"]
            assert (bool(item["content"]), bool(item["excerpt"])) == (shown, shown)
    (item,) = (await data(await site.client("subscriber"), "ids=6"))["items"]
    assert (item["content"], item["excerpt"], item["title"]) == ("", "", "Guarded by a word")
