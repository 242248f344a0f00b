"""The body of a new post or a change, field by field (spec, POST /api/v1/posts: body)."""

import json
from typing import Any

import pytest

from cms_host.testing import Answer, Client, Site, dump
from cms_posts.testing import CONTENT, article, created

JSON = {"Content-Type": "application/json"}


def named(answer: Answer) -> set[str]:
    """The fields of an error, which its message names too."""
    fields = {error["field"] for error in answer.error["errors"]}
    assert all(error.keys() == {"field", "message"} and error["message"] for error in answer.error["errors"])
    assert all(field in answer.error["message"] for field in fields)
    return fields


@pytest.mark.parametrize(
    ("body", "fields"),
    [
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
    ],
)
@pytest.mark.shows(
    "body.title", "body.content", "body.content.name", "body.errors.named", "errors.400.missing", "errors.fields",
    "errors.fields.words",
)  # fmt: skip
async def test_title_and_content_are_required_and_named(
    author: Client, database_url: str, body: dict[str, Any], fields: set[str]
) -> None:
    before = dump(database_url)
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


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", 1), ("content", ["x"]), ("slug", 1), ("excerpt", {}), ("status", 1), ("type", True),
        ("visibility", 1), ("comment_status", []), ("is_featured", "yes"), ("is_featured", 1), ("featured_image", 5),
        ("author_id", "me"),
        ("scheduled_at", 5), ("editorial", []), ("editorial", {"sources": "x"}), ("editorial", {"sources": [1]}),
        ("editorial", {"ymyl": "yes"}), ("editorial", {"ai_disclosure": 1}), ("reviewed", "yes"), ("content_format", 1),
    ],
)  # fmt: skip
@pytest.mark.shows("errors.400.type", "errors.fields", "errors.fields.words", "body.editorial.sources")
async def test_a_field_of_another_type_is_400_and_named(editor: Client, field: str, value: Any) -> None:
    await created(editor)
    answers = [
        await editor.post("/posts", json=article(**{field: value})),
        await editor.patch("/posts/1", json={field: value}),
    ]

    for answer in answers:
        assert (answer.status, {name.partition(".")[0] for name in named(answer)}) == (400, {field})


@pytest.mark.parametrize(
    ("field", "value"),
    [("type", "video"), ("visibility", "secret"), ("comment_status", "maybe"), ("content_format", "rtf")],
)
@pytest.mark.shows("body.type", "body.visibility", "body.comment_status", "errors.fields")
async def test_another_word_than_the_allowed_ones_is_422(editor: Client, field: str, value: str) -> None:
    answer = await editor.post("/posts", json=article(**{field: value}))

    assert (answer.status, named(answer)) == (422, {field})


@pytest.mark.parametrize("body", [b"{", b"", b"[]", b'"x"', b"title=x", b'{"title": "x", "content": "y",}', b"\xff"])
@pytest.mark.shows("body.errors.json", "errors.400.json", "errors.400.object")
async def test_malformed_json_is_400_and_writes_nothing(author: Client, body: bytes) -> None:
    await created(author)
    assert (await author.post("/posts", data=body, headers=JSON)).status == 400
    if body:
        assert (await author.patch("/posts/1", data=body, headers=JSON)).status == 400
    assert (await author.get("/posts")).data["total"] == 1


@pytest.mark.shows("body.content.markdown", "body.content")
async def test_markdown_becomes_html(author: Client) -> None:
    text = "## Heading\n\nSome *text*, a [link](https://a.org/).\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    content = (await created(author, content=text))["content"]
    found = (
        "<h2>Heading</h2>",
        "<em>text</em>",
        '<a href="https://a.org/">link</a>',
        "<li>one</li>",
        "<td>1</td>",
    )

    assert [part for part in found if part not in content] == []
    assert (await created(author, content="<p>1 * 2 * 3</p>"))["content"] == "<p>1 * 2 * 3</p>"


@pytest.mark.shows("body.content.format")
async def test_the_format_can_be_forced(author: Client) -> None:
    text = "Some *text*"
    assert "<em>text</em>" in (await created(author, content=text, content_format="markdown"))["content"]
    kept = (await created(author, content=text, content_format="html"))["content"]
    assert ("*text*" in kept, "<em>" in kept) == (True, False)


@pytest.mark.shows("body.content.code")
async def test_html_inside_a_fence_is_code(author: Client) -> None:
    text = 'Write this:\n\n```html\n<p onclick="x()">Hello</p>\n<script>x()</script>\n```\n\nand *save* it.'
    content = (await created(author, content=text))["content"]

    assert "&lt;p onclick=" in content
    assert "&lt;script&gt;" in content
    assert "<em>save</em>" in content


ATTACKS = {
    "scripts": ["<script>x()</script>", "<SCRIPT SRC=//evil.example/x.js></SCRIPT>", "<svg><script>x()</script></svg>"],
    "handlers": ['<img src="/a.png" onerror="x()">', "<p ONCLICK=x()>a</p>", "<body onload=x()>", "<svg/onload=x()>"],
    "urls": [
        '<a href="javascript:x()">a</a>', '<a href="JaVa&#x53;cript:x()">a</a>', '<a href="java\tscript:x()">a</a>',
        '<a href="data:text/html;base64,eA==">a</a>', '<img src="data:image/svg+xml,<svg/>">',
        '<a href="vbscript:x()">a</a>', '<a href="javascript:1234">a</a>', '<a href=" javascript:x()">a</a>',
        "[a](javascript:x())",
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param("scripts", marks=pytest.mark.shows("body.content.scripts")),
        pytest.param("handlers", marks=pytest.mark.shows("body.content.handlers")),
        pytest.param("urls", marks=pytest.mark.shows("body.content.urls")),
    ],
)
@pytest.mark.shows("post.content")
async def test_what_executes_is_taken_out_on_create_and_update(author: Client, kind: str) -> None:
    await created(author)
    for attack in ATTACKS[kind]:
        text = f"Kept.\n\n{attack}\n\n*And this.*" if attack.startswith("[") else f"<p>Kept.</p>{attack}"
        for answer in (
            await author.post("/posts", json=article(content=text)),
            await author.patch("/posts/1", json={"content": text}),
        ):
            stored = answer.data["post"]["content"].lower()
            assert "kept." in stored
            assert [
                bad for bad in ("<script", "onerror", "onclick", "onload", "script:", "data:") if bad in stored
            ] == []


@pytest.mark.shows("body.content.kept", "post.content")
async def test_what_articles_are_made_of_stays(author: Client) -> None:
    html = (
        "<h1>a</h1><h2>b</h2><h3>c</h3><h4>d</h4><h5>e</h5><h6>f</h6><ul><li>a</li></ul><ol><li>b</li></ol>"
        "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>"
        '<p><img src="/media/a.jpg" alt="A boat"> <a href="https://example.org/?a=1">link</a> <a href="/x">y</a></p>'
    )
    answer = await author.post("/posts", json=article(content=html))

    assert (answer.data["post"]["content"], answer.data["warnings"]) == (html, [])
    assert (await author.get("/posts/1")).data["content"] == html


@pytest.mark.shows("body.content.embeds")
async def test_embeds_of_the_listed_hosts_stay_and_others_go(site: Site, author: Client) -> None:
    def frame(url: str) -> str:
        return f'<iframe src="{url}"></iframe>'

    stay = [
        "https://www.youtube.com/embed/abc", "https://www.youtube-nocookie.com/embed/abc",
        "https://player.vimeo.com/video/1",
    ]  # fmt: skip
    go = [
        "http://www.youtube.com/embed/abc",
        "https://evil.example/embed/abc",
        "https://www.youtube.com.evil.example/embed/a",
    ]
    content = "".join(f"<p>{n}</p>{frame(url)}" for n, url in enumerate([*stay, *go]))
    stored = (await created(author, content=content))["content"]
    assert [url for url in (*stay, *go) if url in stored] == stay
    await site.set(**{"posts.embed_hosts": ["evil.example"]})
    stored = (await created(author, content=content))["content"]
    assert [url for url in (*stay, *go) if f'"{url}"' in stored] == ["https://evil.example/embed/abc"]


@pytest.mark.shows("body.content.complex", "errors.422.complex")
async def test_content_that_is_too_complex_is_422(author: Client) -> None:
    for content in ("<ul><li>" * 2_000, "[" * 20_000):
        answer = await author.post("/posts", json=article(content=content))
        assert (answer.status, named(answer)) == (422, {"content"})


@pytest.mark.shows("errors.413.content", "errors.413.body")
async def test_too_much_is_413_and_names_the_limit_and_its_setting(site: Site, author: Client) -> None:
    over = await author.post("/posts", json=article(content="x" * 524_289))
    assert over.status == 413
    assert "524288" in over.error["message"]
    assert "posts.max_content_bytes" in over.error["message"]
    # The limit is of bytes: half as many letters of two bytes are too many as well.
    turkish = {"data": json.dumps(article(content="ş" * 262_145), ensure_ascii=False).encode(), "headers": JSON}
    assert (await author.post("/posts", **turkish)).status == 413
    await site.set(**{"posts.max_content_bytes": 2_000_000})
    assert (await author.post("/posts", **turkish)).status == 201


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
