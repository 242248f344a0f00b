"""The site's search over posts and pages (contract 3, folding; 4, search; 5, search)."""

from typing import Any

import pytest

from cms_host.testing import Client, Site, assert_documented
from cms_posts.testing import LIKENESS, content, created

OPEN = {"status": "published"}


@pytest.fixture
async def site(make_site: Any) -> Site:
    """A site on which posts may be alike, and short."""
    made: Site = await make_site(disabled=[*LIKENESS, "gate-short-content"], base_url="https://example.org")
    return made


async def publish(editor: Client, title: str, said: str, **fields: Any) -> dict[str, Any]:
    return await created(editor, **{"title": title, "content": f"<p>{said}</p>", **OPEN, **fields})


async def search(client: Client, text: str, **params: str) -> list[dict[str, Any]]:
    answer = await client.get("/search", params={"q": text, **params})
    assert answer.status == 200, answer.text
    items: list[dict[str, Any]] = answer.data["items"]
    assert [item["score"] for item in items] == sorted((item["score"] for item in items), reverse=True)
    if "page" not in params:
        assert answer.data["total"] == len(items)
    return items


async def ids(client: Client, text: str, **params: str) -> list[int]:
    return [item["id"] for item in await search(client, text, **params)]


@pytest.mark.shows("others.search", "others.search.marks", "others.search.record")
async def test_a_hit_is_shown_with_its_address_and_marked_words(site: Site, editor: Client) -> None:
    text = "Boats &amp; nets &lt;script&gt;alert(1)&lt;/script&gt; in the <b>har</b>bour, and <i>boats</i>: 1 &lt; 2."
    await publish(editor, "A walk to the sea", text)
    answer = await (await site.client("subscriber")).get("/search?q=HARBOUR%20boat")

    await assert_documented(site, "GET", "/search", answer)
    (item,) = answer.data["items"]
    assert 0 < item.pop("score") < 1
    assert item == {
        "id": 1,
        "type": "post",
        "title": "A walk to the sea",
        "slug": "a-walk-to-the-sea",
        "url": "https://example.org/a-walk-to-the-sea",
        "excerpt": "<mark>Boats</mark> &amp; nets &lt;script&gt;alert(1)&lt;/script&gt; in the <mark>harbour</mark>, "
        "and <mark>boats</mark>: 1 &lt; 2.",
    }


@pytest.mark.shows("others.search.folded", "others.search.words")
async def test_words_are_folded_and_the_last_may_go_on(editor: Client) -> None:
    await publish(editor, "ISPARTA gülleri açtı", "İlkbaharda; e-posta ile sipariş, ﬁne Ｗide.")
    await publish(editor, "Old maps of harbours", "Every harbour keeps a lamp AND a boat, C++ too.")
    expected: dict[str, list[int]] = {
        "isparta": [1], "ısparta": [1], "ISPARTA": [1], "İsparta GULLERI": [1], "ilkbah": [1],
        "E POSTA": [1], "e-pos": [1],
        "fine wide": [1], "fin wide": [], "wide fin": [1], "old harb": [2], "harb old": [], "harbour": [2],
        "maps   old": [2],
        "lamp AND boat": [2], "lamp OR boat": [], "NOT lamp": [], "harb*": [], '"old maps"': [2], "title:lamp": [],
        "lamp NEAR(boat)": [], "(old": [2], "old:*": [2], "lamp & boat": [], "C++": [2], "0%": [], "ap": [2], "çt": [1],
        "ap lamp": [2], "har": [2], "pelican": [], "posta-e": [],
    }  # fmt: skip
    assert {text: await ids(editor, text) for text in expected} == expected


@pytest.mark.shows("others.search.rank")
async def test_title_comes_before_text_and_equals_with_the_newest_first(editor: Client) -> None:
    filler = "Sand and wind and more of it."
    for title, said in (
        ("Something to read", f"A lighthouse. {filler}"),
        ("The lighthouse keeper", f"Nothing else. {filler}"),
        ("Something to read", f"A lighthouse. {filler}"),
        ("Something to read", f"No light at all. {filler}"),
        ("Something to read", f"A lighthouse. {filler}"),
    ):
        await publish(editor, title, said)
    whole = [2, 5, 3, 1]
    assert await ids(editor, "lighthouse") == whole
    for size in (1, 3):
        pages = [await ids(editor, "lighthouse", page=str(page), per_page=str(size)) for page in range(1, 6)]
        assert [each for page in pages for each in page] == whole
    beyond = (await editor.get("/search?q=lighthouse&page=9")).data
    assert (beyond["items"], beyond["total"], beyond["pages"]) == ([], 4, 1)
    assert await ids(editor, "ig") == [2, 5, 4, 3, 1]


@pytest.mark.shows("others.search.public", "others.search.type", "posts.gone.search")
async def test_everybody_finds_what_is_open_at_this_moment_and_no_more(site: Site, editor: Client) -> None:
    clients = [editor, await site.client("author"), await site.client("subscriber")]
    guarded = {"visibility": "password", "password": "open sesame"}
    for number, fields in enumerate(({}, {"type": "page"}, {"visibility": "private"}, guarded, {"status": "draft"})):
        await publish(editor, f"The secret harbour {number}", "Secrets.", **fields)
    for client in clients:
        assert await ids(client, "secret") == [2, 1]
        assert (await ids(client, "secrets", type="page"), await ids(client, "se", type="post")) == ([2], [1])
    for leave in ({"status": "draft"}, {"visibility": "private"}, guarded, {"status": "trash"}):
        assert (await editor.patch("/posts/1", json=leave)).status == 200
        assert await ids(clients[-1], "secret") == [2], leave
        assert (await editor.patch("/posts/1", json={**OPEN, "visibility": "public"})).status == 200
        assert await ids(clients[-1], "secret") == [2, 1], leave
    await editor.patch("/posts/1", json={"title": "Another title of it", "content": content()})
    assert await ids(clients[-1], "secret") == [2]
    await editor.delete("/posts/2", json={"force": True})
    assert await ids(clients[-1], "secret") == []


@pytest.mark.shows("posts.gone.search", "posts.gone.sitemap")
async def test_what_one_host_takes_away_is_gone_at_once_on_another(make_site: Any) -> None:
    one, other = await make_site(), await make_site()
    editor, reader = await one.client("editor"), await other.client("subscriber")
    for leave in (
        {"status": "draft"},
        {"visibility": "private"},
        {"visibility": "password", "password": "sesame"},
        {"seo": {"robots": "noindex"}},
        None,
    ):
        post = await created(editor, title="A walk to the lighthouse", **OPEN)
        assert [item["id"] for item in (await reader.get("/search?q=lighthouse")).data["items"]] == [post["id"]]
        assert (await reader.get("/sitemap")).data["total"] == 1
        assert (await other.fetch("GET", "/sitemap.xml")).text.count("<url>") == 1
        path = f"/posts/{post['id']}"
        gone = await (editor.delete(path) if leave is None else editor.patch(path, json=leave))
        assert gone.status == 200
        assert (await reader.get("/sitemap")).data["items"] == []
        assert (await other.fetch("GET", "/sitemap.xml")).text.count("<url>") == 0
        assert (await reader.get("/search?q=lighthouse")).data["total"] == (1 if leave and "seo" in leave else 0)
        await editor.delete(path, json={"force": True})
