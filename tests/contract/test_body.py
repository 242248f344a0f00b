"""The body of a new post or a change, field by field (spec, POST /api/v1/posts: body)."""

import pytest

from cms_host.testing import Answer, Client, dump
from cms_posts.testing import CONTENT, article, created

JSON = {"Content-Type": "application/json"}


def named(answer: Answer) -> set[str]:
    """The fields of an error, which its message names too."""
    fields = {error["field"] for error in answer.error["errors"]}
    assert all(error.keys() == {"field", "message"} and error["message"] for error in answer.error["errors"])
    assert all(field in answer.error["message"] for field in fields)
    return fields


@pytest.mark.shows(
    "body.title",
    "body.content",
    "body.content.name",
    "body.errors.named",
    "errors.400.missing",
    "errors.fields",
    "errors.fields.words",
)
async def test_title_and_content_are_required_and_named(author: Client, database_url: str) -> None:
    before = dump(database_url)
    for body, fields in (
        ({}, {"title", "content"}),
        ({"title": "x"}, {"content"}),
        ({"content": "x"}, {"title"}),
        ({"title": "", "content": ""}, {"title", "content"}),
        ({"title": "  ", "content": "\n"}, {"title", "content"}),
        ({"title": None, "content": None}, {"title", "content"}),
        ({"title": "<i></i>", "content": "x"}, {"title"}),
        ({"title": "x", "content": "<script>x()</script>"}, {"content"}),
        ({"title": "x", "content_html": "<p>x</p>"}, {"content"}),
        ({"title": "x", "content_markdown": "x"}, {"content"}),
    ):
        answer = await author.post("/posts", json=body)

        assert (answer.status, named(answer)) == (400, fields)
        assert dump(database_url) == before


@pytest.mark.parametrize("field", ["title", "content"])
@pytest.mark.shows("body.title", "body.content", "errors.400.missing")
async def test_title_and_content_can_not_be_emptied(author: Client, field: str) -> None:
    before = await created(author)
    for method in ("PUT", "PATCH"):
        answer = await author.request(method, "/posts/1", json={field: ""})
        assert (answer.status, named(answer)) == (400, {field})
    assert (await author.get("/posts/1")).data == before


@pytest.mark.shows("errors.400.type", "errors.fields", "errors.fields.words", "body.editorial.sources")
async def test_a_field_of_another_type_is_400_and_named(editor: Client) -> None:
    await created(editor)
    for field, value in (
        ("title", 1),
        ("content", ["x"]),
        ("slug", 1),
        ("excerpt", {}),
        ("status", 1),
        ("type", True),
        ("visibility", 1),
        ("comment_status", []),
        ("is_featured", "yes"),
        ("is_featured", 1),
        ("featured_image", 5),
        ("author_id", "me"),
        ("scheduled_at", 5),
        ("editorial", []),
        ("editorial", {"sources": "x"}),
        ("editorial", {"sources": [1]}),
        ("editorial", {"ymyl": "yes"}),
        ("editorial", {"ai_disclosure": 1}),
        ("reviewed", "yes"),
        ("content_format", 1),
    ):
        answers = [
            await editor.post("/posts", json=article(**{field: value})),
            await editor.patch("/posts/1", json={field: value}),
        ]

        for answer in answers:
            assert (answer.status, {name.partition(".")[0] for name in named(answer)}) == (400, {field})


@pytest.mark.shows("body.type", "body.visibility", "body.comment_status", "errors.fields")
async def test_another_word_than_the_allowed_ones_is_422(editor: Client) -> None:
    for field, value in (
        ("type", "video"),
        ("visibility", "secret"),
        ("comment_status", "maybe"),
        ("content_format", "rtf"),
    ):
        answer = await editor.post("/posts", json=article(**{field: value}))

        assert (answer.status, named(answer)) == (422, {field})


@pytest.mark.shows("body.errors.json", "errors.400.json", "errors.400.object")
async def test_malformed_json_is_400_and_writes_nothing(author: Client) -> None:
    await created(author)
    for body in (
        b"{",
        b"",
        b"[]",
        b'"x"',
        b"title=x",
        b'{"title": "x", "content": "y",}',
        b"\xff",
    ):
        assert (await author.post("/posts", data=body, headers=JSON)).status == 400
        if body:
            assert (await author.patch("/posts/1", data=body, headers=JSON)).status == 400
        assert (await author.get("/posts")).data["total"] == 1


@pytest.mark.shows("body.slug", "body.slug.unique", "values.slug.number", "post.slug")
async def test_a_slug_comes_from_the_title_or_the_body_and_is_made_unique(author: Client) -> None:
    assert (await created(author))["slug"] == "a-walk-along-the-harbour"
    assert (await created(author, slug="Yeni Ürün"))["slug"] == "yeni-urun"
    assert (await created(author, slug="yeni-urun"))["slug"] == "yeni-urun-2"
    assert (await created(author, title="Yeni ürün"))["slug"] == "yeni-urun-3"
    assert (await author.patch("/posts/1", json={"slug": "yeni-urun"})).data["post"]["slug"] == "yeni-urun-4"
    # A title that changes later leaves the address as it is.
    assert (await author.patch("/posts/1", json={"title": "Other"})).data["post"]["slug"] == "yeni-urun-4"


@pytest.mark.shows("body.excerpt")
async def test_an_excerpt_that_is_emptied_is_derived_again(author: Client) -> None:
    derived = (await created(author, excerpt=""))["excerpt"]
    assert derived.startswith("Morning The boats come in")
    assert (await author.patch("/posts/1", json={"excerpt": "By hand"})).data["post"]["excerpt"] == "By hand"
    assert (await author.patch("/posts/1", json={"title": "Other"})).data["post"]["excerpt"] == "By hand"
    assert (await author.patch("/posts/1", json={"excerpt": ""})).data["post"]["excerpt"] == derived


@pytest.mark.shows("body.author_id", "body.author_id.stripped")
async def test_author_id_is_honoured_from_editor_up(author: Client, editor: Client, admin: Client) -> None:
    mine = (await created(author))["author_id"]
    for client in (editor, admin):
        record = await created(client, author_id=mine)
        assert (record["author_id"], record["author_name"]) == (mine, "author")
    theirs = (await created(editor))["author_id"]
    assert (await created(author, author_id=theirs))["author_id"] == mine
    assert (await author.patch("/posts/1", json={"author_id": theirs})).data["post"]["author_id"] == mine
    assert (await editor.patch("/posts/1", json={"author_id": theirs})).data["post"]["author_id"] == theirs


@pytest.mark.shows("body.editorial", "post.editorial")
async def test_editorial_changes_only_what_is_sent(author: Client) -> None:
    full = {"ai_disclosure": "By machine", "original_notes": "Kept", "sources": ["A law", "A study"], "ymyl": True}
    await created(author, editorial=full)
    for change in ({"ymyl": False}, {"sources": []}, {"ai_disclosure": None}, {"original_notes": "New"}, {}):
        full = {**full, **change}
        answer = await author.patch("/posts/1", json={"editorial": change})
        assert (answer.status, answer.data["post"]["editorial"]) == (200, full)


@pytest.mark.shows("body.reviewed", "body.reviewed.ignored")
async def test_reviewed_is_for_editors(author: Client, editor: Client) -> None:
    assert (await created(author, reviewed=True))["reviewed_at"] is None
    assert (await author.patch("/posts/1", json={"reviewed": True})).data["post"]["reviewed_at"] is None
    assert (await editor.patch("/posts/1", json={"reviewed": True})).data["post"][
        "reviewed_at"
    ] == "2026-01-15 12:00:00"
    assert (await created(editor, reviewed=True))["reviewed_at"] == "2026-01-15 12:00:00"


@pytest.mark.shows("body.nulls")
async def test_a_null_time_changes_nothing(author: Client) -> None:
    answer = await author.post("/posts", json=article(scheduled_at=None))
    assert (answer.status, answer.data["post"]["status"]) == (201, "draft")
    before = await created(author, scheduled_at="2026-06-01 09:30:00")
    after = (await author.patch("/posts/2", json={"scheduled_at": None, "content": CONTENT})).data["post"]
    assert (after["status"], after["scheduled_at"]) == (before["status"], before["scheduled_at"])
