"""The sitemap of posts and pages, by the API and as search engines read it (contract 3, 4, 5; sitemaps.org)."""

import re
from typing import Any
from xml.etree import ElementTree

import pytest

from cms_host.testing import Client, MakeSite, Site, assert_documented
from cms_media.testing import uploaded
from cms_posts.testing import CONTENT, LIKENESS, created

OPEN = {"status": "published"}
NAMES = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "i": "http://www.google.com/schemas/sitemap-image/1.1"}
BASE = "https://example.org"
XML = "application/xml; charset=utf-8"


@pytest.fixture
async def site(make_site: Any) -> Site:
    """A site on which posts may be alike and show what there is not, and which knows its own address."""
    made: Site = await make_site(disabled=[*LIKENESS, "gate-broken-local-image"], base_url=BASE)
    return made


async def listed(client: Client, query: str = "") -> list[str]:
    """Addresses, without the site's, of everything on a page whose totals are those of all of it."""
    data = (await client.get(f"/sitemap{query}")).data
    assert query or data["total"] == len(data["items"])
    return [item["loc"].removeprefix(BASE) for item in data["items"]]


def entries(text: str) -> list[dict[str, Any]]:
    """What a file says, in the API's words."""
    return [
        {
            "loc": url.findtext("s:loc", namespaces=NAMES),
            "lastmod": url.findtext("s:lastmod", namespaces=NAMES),
            "images": [each.text for each in url.iterfind("i:image/i:loc", NAMES)],
        }
        for url in parsed(text).iterfind("s:url", NAMES)
    ]


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)  # noqa: S314 - what is parsed is our own.


@pytest.mark.shows("others.sitemap", "others.sitemap.images", "others.sitemap.xml", "others.sitemap.record")
@pytest.mark.shows("time.modified.lastmod")
async def test_an_entry_has_address_last_change_and_images(site: Site, editor: Client) -> None:
    pictures = (
        '<p><img src="/media/b.jpg"><img src="c d.jpg"><img src="https://example.org/e.jpg?x=1&amp;y=\'2\'#f">'
        '<img src="https://elsewhere.example/g.jpg"><img src="//example.org/ı.jpg"><img src="/media/b.jpg"></p>'
    )
    shown = {"featured_image": "2026/01/a.jpg", "content": pictures + "<p>The tide comes in.</p>" * 100}
    post = await created(editor, **shown, **OPEN)
    site.clock.advance(3600)
    changed = (await editor.patch("/posts/1", json={"excerpt": "By hand"})).data["post"]
    site.clock.advance(3600)
    touched = await editor.patch("/posts/1", json={"seo": {"meta_title": "Moves updated_at alone"}})
    answer = await (await site.client("subscriber")).get("/sitemap")

    assert changed["content_modified_at"] > post["content_modified_at"]
    assert touched.data["post"]["updated_at"] > changed["updated_at"]
    (entry,) = answer.data["items"]
    assert entry == {
        "loc": f"{BASE}/a-walk-along-the-harbour",
        "lastmod": changed["content_modified_at"],
        "images": [f"{BASE}/media/2026/01/a.jpg", f"{BASE}/media/b.jpg", f"{BASE}/c d.jpg",
                   f"{BASE}/e.jpg?x=1&y='2'", f"{BASE}/ı.jpg"],
    }  # fmt: skip
    await assert_documented(site, "GET", "/sitemap", answer)
    encoded = {**entry, "images": [each.replace(" ", "%20").replace("ı", "%C4%B1") for each in entry["images"]]}
    for shown in (await editor.get("/sitemap?format=xml"), await site.fetch("GET", "/sitemap.xml")):
        assert (shown.headers["Content-Type"], entries(shown.text)) == (XML, [encoded])


async def test_images_are_those_that_the_gate_takes_for_the_sites_own(make_site: MakeSite) -> None:
    """Wherever posts are, by http as well as https, in either form of a host's name."""
    site = await make_site(disabled=LIKENESS, base_url="https://köy.example")
    editor = await site.client("editor")
    path = f"media/{(await uploaded(editor))['path']}"
    await site.set(permalink="{base_url}/yazı/{slug}")
    forms = (path, f"http://köy.example/{path}", f"https://xn--ky-fka.example:8443/{path}")
    pictures = "".join(f'<p><img src="{each}"></p>' for each in (*forms, f"https://example.org/{path}"))
    await created(editor, content=CONTENT + pictures, featured_image="", **OPEN)

    (entry,) = (await editor.get("/sitemap")).data["items"]
    assert entry["images"] == [f"https://köy.example/{path}", *forms[1:]]


@pytest.mark.shows("others.sitemap.public", "posts.gone.sitemap", "others.sitemap.robots")
async def test_only_what_is_open_and_may_be_indexed_is_there(site: Site, editor: Client, subscriber: Client) -> None:
    for title, fields in (
        ("open", {}),
        ("page", {"type": "page"}),
        ("private", {"visibility": "private"}),
        ("guarded", {"visibility": "password", "password": "sesame"}),
        ("draft", {"status": "draft"}),
        ("unwanted", {"seo": {"robots": "NoIndex, follow"}}),
        ("none", {"seo": {"robots": "none"}}),
        ("nofollow", {"seo": {"robots": "nofollow,max-snippet:-1"}}),
    ):
        await created(editor, **{"title": f"A long title of {title}", "slug": title, **OPEN, **fields})
    assert await listed(subscriber) == await listed(editor) == ["/open", "/page", "/nofollow"]
    for leave, come_back in (
        ({"status": "draft"}, OPEN),
        ({"visibility": "private"}, {"visibility": "public"}),
        ({"visibility": "password", "password": "sesame"}, {"visibility": "public"}),
        ({"seo": {"robots": "noindex"}}, {"seo": {"robots": None}}),
        ({"status": "trash"}, OPEN),
    ):
        assert (await editor.patch("/posts/2", json=leave)).status == 200
        assert await listed(subscriber) == ["/open", "/nofollow"], leave
        assert "page" not in (await site.fetch("GET", "/sitemap.xml")).text
        assert (await editor.patch("/posts/2", json=come_back)).status == 200
        assert await listed(subscriber) == ["/open", "/page", "/nofollow"], leave
    await editor.delete("/posts/1", json={"force": True})
    await editor.patch("/posts/6", json={"seo": {"robots": None}})
    assert await listed(subscriber) == ["/page", "/unwanted", "/nofollow"]
    assert [await index.verify(site.host.db) for index in site.host.indexes if index.name == "posts.robots"] == [[]]


@pytest.mark.shows("others.sitemap.canonical", "others.sitemap.permalink")
async def test_what_has_its_canonical_address_elsewhere_is_left_out(site: Site, editor: Client) -> None:
    for canonical in (
        f"{BASE}/walk-1", f"{BASE}/walk-2/", "/walk-3", f"{BASE}/walk-4#top", "https://elsewhere.example/walk-5",
        f"{BASE}/another", "/another", f"{BASE}/yazı/walk-8/8", None,
    ):  # fmt: skip
        number = (await editor.get("/posts")).data["total"] + 1
        sent = {"canonical_url": canonical, "robots": "index"}
        await created(editor, title=f"A long walk {number}", slug=f"walk-{number}", seo=sent, **OPEN)
    assert await listed(editor) == ["/walk-1", "/walk-2", "/walk-3", "/walk-4", "/walk-9"]
    await site.set(permalink="{base_url}/yazı/{slug}/{id}/")
    assert await listed(editor) == ["/yazı/walk-8/8/", "/yazı/walk-9/9/"]
    text = (await site.fetch("GET", "/sitemap.xml")).text
    assert [entry["loc"] for entry in entries(text)] == [f"{BASE}/yaz%C4%B1/walk-{n}/{n}/" for n in (8, 9)]
    await site.set(permalink="/{id}")
    assert await listed(editor) == ["/9"]


@pytest.mark.shows("others.sitemap.pages", "others.sitemap.index", "request.open.sitemap", "list.per_page.sitemap")
async def test_pages_and_files_hold_each_entry_once(make_site: Any) -> None:
    site = await make_site(disabled=LIKENESS, base_url=BASE, rate_limit=100)
    editor = await site.client("editor")
    for number in range(1, 8):
        await created(editor, title=f"A long walk {number}", slug=f"walk-{number}", **OPEN)
    await editor.delete("/posts/4", json={"force": True})
    whole = [f"/walk-{number}" for number in (1, 2, 3, 5, 6, 7)]
    for size in (1, 4, 6, 50_000):
        pages = [await listed(editor, f"?per_page={size}&page={page}") for page in range(1, 8)]
        assert [each for page in pages for each in page] == whole
        text = (await editor.get(f"/sitemap?format=xml&per_page={size}&page=2")).text
        assert [entry["loc"].removeprefix(BASE) for entry in entries(text)] == pages[1]
    asked = {"": 1_000, "?per_page=60000": 50_000, "?per_page=0": 1_000, "?per_page=7": 7}
    assert {query: (await editor.get(f"/sitemap{query}")).data["per_page"] for query in asked} == asked
    assert [(await editor.get(f"/sitemap?{each}")).status for each in ("page=x", "format=csv")] == [422, 422]

    await site.set(**{"sitemap.file_entries": 2})
    index = parsed((await site.fetch("GET", "/sitemap.xml")).text)
    files = [each.findtext("s:loc", namespaces=NAMES) or "" for each in index.iterfind("s:sitemap", NAMES)]
    assert files == [f"{BASE}/sitemap-posts-{number}.xml" for number in (1, 2, 3, 4)]
    texts = [(await site.fetch("GET", each.removeprefix(BASE))).text for each in files]
    assert [[each["loc"][-1] for each in entries(text)] for text in texts] == [["1", "2"], ["3"], ["5", "6"], ["7"]]
    changed = re.findall("<lastmod>(.*?)</lastmod>", (await site.fetch("GET", "/sitemap.xml")).text)
    assert changed == [max(each["lastmod"] for each in entries(text)) for text in texts]
    for path in ("/sitemap-posts-5.xml", "/sitemap-posts-0.xml", "/sitemap-tags-1.xml", "/sitemap-posts-x.xml"):
        assert (await site.fetch("GET", path)).status == 404
    head = await site.fetch("HEAD", "/sitemap.xml", headers={"Host": "evil.example"})
    assert (head.status, head.body, head.headers["Content-Type"]) == (200, b"", XML)
    # Many more than the limit allows of what is counted.
    assert {(await site.fetch("GET", "/sitemap.xml")).status for _ in range(100)} == {200}
