"""GET /media, and GET, PUT and PATCH /media/{id}."""

import pytest

from cms_host.testing import Client, MakeSite, Site, assert_documented, dump
from cms_media.testing import picture, uploaded

from .conftest import SQLITE_ALONE


async def found(client: Client, query: str = "") -> list[int]:
    """The ids in a list, in its order."""
    answer = await client.get(f"/media{query}")
    assert answer.status == 200, answer.text
    return [item["id"] for item in answer.data["items"]]


async def fill(site: Site) -> Client:
    """Five media of two authors, an hour and more apart."""
    author, other = await site.client("author"), await site.client("author", "other")
    await uploaded(author, title="Kış akşamı", alt="Karlı iskele")
    site.clock.advance(3600)
    await uploaded(other, picture("GIF"), title="100% wool", alt="a_b")
    site.clock.advance(3600)
    await uploaded(author, picture("JPEG"), title="IŞIK", alt="kış")
    await uploaded(author, picture("WEBP"))
    site.clock.advance(86_400)
    await uploaded(other, picture("AVIF"), alt="boats")
    return author


@pytest.mark.shows("media.list", "media.filters")
async def test_list_is_narrowed_by_what_is_asked(site: Site) -> None:
    author = await fill(site)
    own = (await author.get("/media/1")).data["author_id"]
    for query, ids in {
        "": [5, 4, 3, 2, 1],
        "?mime_type=image/gif": [2],
        "?mime_type=image/svg%2Bxml": [],
        f"?author_id={own}": [4, 3, 1],
        f"?author_id={own}&mime_type=image/jpeg": [3],
        "?author_id=99": [],
        "?search=kis": [3, 1],
        "?search=KIŞ%20iskele": [1],
        "?search=isik": [3],
        "?search=100%25": [2],
        "?search=%25": [2],
        "?search=_": [2],
        "?search=%20": [5, 4, 3, 2, 1],
        "?search=nothing": [],
        "?search=%5C": [],
        "?date_from=2026-01-15%2013:00:00": [5, 4, 3, 2],
        "?date_to=2026-01-15%2013:00:00": [2, 1],
        "?date_to=2026-01-15": [4, 3, 2, 1],
        "?date_from=2026-01-16&date_to=2026-01-16": [5],
        f"?search=kis&author_id={own}&date_from=2026-01-15&mime_type=image/jpeg": [3],
        "?per_page=2": [5, 4],
        "?per_page=2&page=3": [1],
        "?per_page=2&page=4": [],
        "?per_page=0&page=-1": [5, 4, 3, 2, 1],
    }.items():
        assert await found(author, query) == ids, query
    data = (await author.get("/media?per_page=2&page=2&search=a")).data
    assert (data["total"], data["pages"], data["current_page"], data["per_page"]) == (3, 2, 2, 2)


@pytest.mark.shows("media.list", "media.read", "media.record")
async def test_list_and_reads_show_records_as_documented(site: Site) -> None:
    record = await uploaded(await site.client("author"))
    reader = await site.client("subscriber")
    listed, read = await reader.get("/media"), await reader.get("/media/1")

    assert listed.data["items"] == [read.data] == [record]
    await assert_documented(site, "GET", "/media", listed)
    await assert_documented(site, "GET", "/media/{id}", read)


@SQLITE_ALONE
@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("page=x", 422),
        ("author_id=x", 422),
        ("date_from=tomorrow", 422),
        ("date_to=2026-02-30", 422),
        ("search=" + "x" * 301, 422),
        ("search=%00", 400),
        ("mime_type=%00", 400),
    ],
)
async def test_list_refuses_parameters_that_mean_nothing(site: Site, query: str, status: int) -> None:
    assert (await (await site.client("subscriber")).get(f"/media?{query}")).status == status


@pytest.mark.shows("media.urls")
@SQLITE_ALONE
async def test_addresses_begin_with_a_slash_or_with_where_the_site_is(make_site: MakeSite) -> None:
    bare, based = await make_site(), await make_site(base_url="https://site.example/cms")
    record = await uploaded(await bare.client("author"))
    seen = (await Client(based, (await bare.client("author")).key).get("/media/1")).data

    assert record["urls"]["original"] == f"/media/{record['path']}"
    assert seen["urls"] == {name: f"https://site.example/cms{url}" for name, url in record["urls"].items()}


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
@pytest.mark.shows("media.change", "role.editor.media")
async def test_update_changes_only_what_is_sent(site: Site, method: str) -> None:
    author = await site.client("author")
    before = await uploaded(author, title="A boat", alt="Red")
    retitled = await author.request(method, "/media/1", json={"title": "<b>Two</b> boats", "path": "x", "author_id": 9})
    described = await (await site.client("editor")).request(method, "/media/1", json={"alt": ""})

    assert (retitled.status, retitled.data) == (200, {**before, "title": "Two boats"})
    assert (described.status, described.data) == (200, {**before, "title": "Two boats", "alt": ""})
    assert [await found(author, f"?search={word}") for word in ("two", "red", "boat")] == [[1], [], [1]]
    await assert_documented(site, method, "/media/{id}", retitled)


@SQLITE_ALONE
async def test_update_that_is_refused_writes_nothing(site: Site, database_url: str) -> None:
    author, other = await site.client("author"), await site.client("author", "other")
    subscriber = await site.client("subscriber")
    await uploaded(author)
    before = dump(database_url)
    for client, path, body, status in (
        (other, "/media/1", {"alt": "x"}, 403),
        (author, "/media/2", {"alt": "x"}, 404),
        (author, "/media/1", {"alt": 5}, 400),
        (author, "/media/1", {"title": "x" * 1001}, 422),
        (subscriber, "/media/1", {"alt": "x"}, 403),
    ):
        assert (await client.patch(path, json=body)).status == status
    assert dump(database_url) == before


@pytest.mark.shows("role.author.uploads")
@SQLITE_ALONE
async def test_authors_change_and_delete_their_own_only(site: Site) -> None:
    author, other = await site.client("author"), await site.client("author", "other")
    await uploaded(author)
    for method in ("PUT", "PATCH", "DELETE"):
        answer = await other.request(method, "/media/1", data=b"{", headers={"Content-Type": "text/plain"})
        assert (answer.status, answer.error["message"]) == (403, "You can only modify your own content")
    assert (await author.patch("/media/1", json={"alt": "x"})).status == 200
    assert (await author.delete("/media/1")).status == 200
