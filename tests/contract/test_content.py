"""Content: what it may be, what is taken out, and how much there may be (spec, POST /posts body; contract 4)."""

import json
from io import BytesIO

import pytest

from cms_host.testing import Client, Site
from cms_posts.testing import article, created

JSON = {"Content-Type": "application/json"}


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
        assert (answer.status, answer.error["errors"][0]["field"]) == (422, "content")


@pytest.mark.shows("errors.413.content")
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


@pytest.mark.shows("errors.413.body")
async def test_a_body_of_two_mebibytes_is_taken_and_one_byte_more_is_not(author: Client) -> None:
    bare = len(json.dumps(article(padding="")))
    fits, over = (BytesIO(json.dumps(article(padding="x" * (size - bare))).encode()) for size in (2_097_152, 2_097_153))
    refused = await author.post("/posts", data=over, headers=JSON)

    assert refused.status == 413
    assert "2097152" in refused.error["message"]
    assert "max_body_bytes" in refused.error["message"]
    assert (await author.post("/posts", data=fits, headers=JSON)).status == 201
