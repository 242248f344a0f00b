"""Categories and tags of posts: writing, reading, filtering (spec, POST /posts body; contract 4)."""

from typing import Any

import pytest

from cms_host.testing import Client, Site
from cms_posts.testing import article, created


async def category(editor: Client, name: str, **fields: Any) -> int:
    answer = await editor.post("/categories", json={"name": name, **fields})
    assert answer.status == 201, answer.text
    return int((await editor.get(f"/categories/{answer.data.get('slug') or name.lower()}")).data["id"])


async def terms(client: Client, kind: str, number: int = 1) -> list[str]:
    return sorted(term["name"] for term in (await client.get(f"/posts/{number}?with_relations=1")).data[kind])


@pytest.mark.shows("body.categories", "list.with_relations", "post.categories")
async def test_categories_are_ids_and_read_back_as_records(editor: Client, author: Client) -> None:
    first, second = await category(editor, "News"), await category(editor, "Sea")
    answer = await author.post("/posts?with_relations=1", json=article(categories=[first, second]))

    assert (answer.status, answer.data["warnings"]) == (201, [])
    expected = [{"id": first, "name": "News", "slug": "news"}, {"id": second, "name": "Sea", "slug": "sea"}]
    for record in (
        answer.data["post"],
        (await author.get("/posts/1?with_relations=1")).data,
        (await author.get("/posts?with_relations=1")).data["items"][0],
    ):
        assert sorted(record["categories"], key=lambda each: each["id"]) == expected
        assert record["tags"] == []


@pytest.mark.shows(
    "body.categories.names", "body.categories.unknown", "body.categories.numeric", "posts.written.discarded"
)
async def test_entries_that_are_no_category_are_discarded_with_a_warning(editor: Client, author: Client) -> None:
    number = await category(editor, "News")
    sent = ["News", number, "x", 999, -1, 0, str(number), 2**63 - 1, "9" * 30, "999", None, 1.5, [number]]
    answer = await author.post("/posts", json=article(categories=sent))

    assert answer.status == 201
    assert {warning["code"] for warning in answer.data["warnings"]} == {"unknown_category"}
    assert await terms(author, "categories") == ["News"]
    answer = await author.patch("/posts/1", json={"categories": [str(number)]})
    assert (answer.data["warnings"], await terms(author, "categories")) == ([], ["News"])


@pytest.mark.shows("body.tags", "body.tags.matched", "body.tags.created", "post.tags")
async def test_tags_are_names_found_or_created(editor: Client, author: Client) -> None:
    answer = await author.post("/posts?with_relations=1", json=article(tags=["Deniz", "İstanbul"]))
    assert (answer.status, sorted(tag["name"] for tag in answer.data["post"]["tags"])) == (201, ["Deniz", "İstanbul"])
    assert all(tag.keys() == {"id", "name", "slug"} for tag in answer.data["post"]["tags"])
    await created(author, tags=["deniz", "ISTANBUL", "Deniz", " İstanbul "])
    assert await terms(author, "tags", 2) == ["Deniz", "İstanbul"]
    assert (await editor.get("/tags")).data["total"] == 2
    assert (await author.patch("/posts/1?with_relations=1", json={"tags": ["New"]})).data["post"]["tags"][0][
        "slug"
    ] == "new"
    assert await terms(author, "tags") == ["New"]


@pytest.mark.shows("body.tags", "errors.400.type")
async def test_tags_of_another_type_are_400(author: Client) -> None:
    for bad in (
        "Sea",
        5,
        {"a": 1},
        [1],
        [None],
        [["a"]],
    ):
        answer = await author.post("/posts", json=article(tags=bad))

        assert (answer.status, answer.error["errors"][0]["field"].partition(".")[0]) == (400, "tags")
        assert (await author.post("/posts", json=article(categories="News"))).status == 400


@pytest.mark.shows("body.clears", "body.nulls", "body.optional")
async def test_left_out_or_null_stays_and_an_empty_array_clears(editor: Client, author: Client) -> None:
    number = await category(editor, "News")
    await created(author, categories=[number], tags=["Sea"])
    for body in ({"title": "Other"}, {"categories": None, "tags": None}, {}):
        assert (await author.patch("/posts/1", json=body)).status == 200
        assert (await terms(author, "categories"), await terms(author, "tags")) == (["News"], ["Sea"])
    await author.patch("/posts/1", json={"categories": []})
    assert (await terms(author, "categories"), await terms(author, "tags")) == ([], ["Sea"])
    await author.patch("/posts/1", json={"tags": []})
    assert (await terms(author, "categories"), await terms(author, "tags")) == ([], [])
    assert (await author.post("/posts", json=article(categories=None, tags=None))).status == 201


@pytest.mark.shows("time.modified.facing", "time.modified.changes", "posts.revision.before")
async def test_readers_see_categories_and_tags(site: Site, editor: Client) -> None:
    number = await category(editor, "News")
    stamps = [(await created(editor, status="published"))["content_modified_at"]]
    for body in ({"categories": [number]}, {"tags": ["Sea"]}, {"tags": ["Land"]}, {"categories": []}):
        site.clock.advance(60)
        record = (await editor.patch("/posts/1", json=body)).data["post"]
        stamps.append(record["content_modified_at"])
    assert sorted(set(stamps)) == stamps
    site.clock.advance(60)
    again = (await editor.patch("/posts/1", json={"tags": ["Land"], "categories": []})).data["post"]
    assert again["content_modified_at"] == stamps[-1]
    revisions = (await editor.get("/posts/1/revisions")).data["items"]
    assert [each["changed_fields"] for each in revisions] == [["categories"], ["tags"], ["tags"], ["categories"]]


@pytest.mark.shows("list.with_relations", "list.with_relations.everywhere", "post.categories", "post.tags")
async def test_relations_are_there_only_when_asked_for(editor: Client) -> None:
    future = "2026-06-01 09:30:00"
    await created(editor, tags=["Sea"])
    asked: list[tuple[str, str, Any]] = [
        ("GET", "/posts/1", None), ("PATCH", "/posts/1", {"excerpt": "x"}), ("POST", "/posts/1/publish", {}),
        ("POST", "/posts/1/schedule", {"scheduled_at": future}), ("POST", "/posts", article(tags=["Sea"])),
        ("POST", "/posts/1/review", {}), ("PUT", "/posts/1", {"excerpt": "y"}),
    ]  # fmt: skip
    for method, path, body in asked:
        for query, there in (("?with_relations=1", True), ("?with_relations=0", False), ("", False)):
            answer = await editor.request(method, path + query, json=body)
            assert answer.status in (200, 201), answer.text
            record = answer.data if method == "GET" else answer.data["post"]
            assert record.keys() & {"categories", "tags"} == ({"categories", "tags"} if there else set())
            assert not there or [tag["name"] for tag in record["tags"]] == ["Sea"]
