"""Which images refuse a publish: local ones that nothing is stored for, and no others."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from sqlalchemy import column, delete, func, literal, select, table

from cms_gate_broken_local_image import MOST_TOLD, BrokenLocalImage
from cms_host.api import Finding, Query
from cms_host.testing import Client, MakeSite, Site, check
from cms_media.api import media
from cms_media.testing import uploaded
from cms_posts.testing import CONTENT, article, created, publish, refusal

BASE = "https://site.example"
REMOTE = ("https://cdn.example/media/a.jpg", "//cdn.example/media/a.jpg", "http://site.example.cdn.example/media/a.jpg")
GONE = "2026/01/abcdefghijklmnopqrstuvwxyz.jpg"
BROKEN = {
    "a_file_that_was_never_stored": f"/media/{GONE}",
    "the_same_by_its_whole_address": f"{BASE}/media/{GONE}",
    "the_same_by_http_and_another_port": f"http://site.example:8080/media/{GONE}",
    "the_same_without_a_scheme": f"//site.example/media/{GONE}",
    "another_folder_of_the_site": "/static/a.jpg",
    "a_relative_path": "a.jpg",
    "a_path_out_of_the_folder": "/media/../static/a.jpg",
    "a_null": "/media/a%00.jpg",
    "turkish_letters": "/media/2026/01/görsel.jpg",
    "an_endless_path": "/media/" + "a" * 100_000,
}
_activity = table("pg_stat_activity", column("wait_event_type"), column("datname"))
WAITING = Query(
    select(func.count().label("n"))
    .select_from(_activity)
    .where(_activity.c.wait_event_type == literal("Lock"), _activity.c.datname == func.current_database())
)


class Stored:
    """A site with one medium, and the rule."""

    def __init__(self, site: Site, medium: dict[str, Any]) -> None:
        self.site, self.medium = site, medium
        self.rule = BrokenLocalImage(BASE)

    @property
    def urls(self) -> tuple[str, ...]:
        return tuple(self.medium["urls"].values())

    async def check(self, *images: str, cover: str = "") -> list[Finding]:
        return await check(self.rule, self.site.host.db, images=images, cover=cover)


@pytest.fixture
async def stored(make_site: MakeSite) -> Stored:
    site = await make_site(base_url=BASE)
    return Stored(site, await uploaded(await site.client("author")))


@pytest.fixture
async def author(stored: Stored) -> Client:
    return await stored.site.client("author")


@pytest.fixture
async def visited() -> AsyncIterator[tuple[str, list[str]]]:
    """The address of an image on another host, and what anybody has asked of that host so far."""
    asked: list[str] = []

    async def note(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append((await reader.readline()).decode())
        writer.close()

    async with await asyncio.start_server(note, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/media/a.jpg", asked


def image(*addresses: str) -> str:
    return CONTENT + "".join(f'<img src="{address}">' for address in addresses)


async def test_passes_what_is_stored_and_what_is_elsewhere(stored: Stored) -> None:
    local = [url.removeprefix(BASE) for url in stored.urls]

    assert len(set(stored.urls)) == 3
    assert await stored.check(*stored.urls, *local, *(each[1:] for each in local), *REMOTE) == []
    for cover in (stored.medium["path"], *stored.urls, *local, *REMOTE[::2], ""):
        assert await stored.check(cover=cover) == []


async def test_refuses_local_addresses_of_nothing_that_is_stored(stored: Stored) -> None:
    for name, address in BROKEN.items():
        assert [each.measured for each in await stored.check(stored.urls[0], address)] == [[address]], name


@pytest.mark.shows("gate.broken_local_image")
async def test_refuses_covers_of_nothing_that_is_stored(stored: Stored) -> None:
    for cover in (GONE, f"/media/{GONE}", f"{BASE}/media/{GONE}", "/static/a.jpg", "cover.jpg", "javascript:alert(1)"):
        (finding,) = await stored.check(stored.urls[0], cover=cover)
        assert (finding.measured, finding.required, finding.field) == ([cover], [], "featured_image")


async def test_tells_all_that_is_broken_at_once_each_once(stored: Stored) -> None:
    (finding,) = await stored.check("/b.jpg", stored.urls[1], "/c.jpg", "/b.jpg", "d.jpg", cover=GONE)

    assert finding.measured == ["/b.jpg", "/c.jpg", "d.jpg", GONE]
    assert finding.field == "content"
    assert finding.message_tr == "Sitede kayıtlı olmayan yerel görsel: 4 (/b.jpg, /c.jpg, d.jpg, ...)."
    assert finding.message_en == "Local images that are not stored: 4 (/b.jpg, /c.jpg, d.jpg, ...)."


async def test_thousands_are_judged_in_one_statement_and_the_first_told(stored: Stored) -> None:
    (finding,) = await stored.check(*(f"/media/{number}.jpg" for number in range(5000)))

    assert finding.message_en.startswith("Local images that are not stored: 5000 (")
    assert len(finding.measured) == MOST_TOLD


async def test_asks_nothing_where_nothing_is_local() -> None:
    assert await check(BrokenLocalImage(BASE), images=REMOTE, cover=REMOTE[0]) == []


@pytest.mark.shows("gate.broken_local_image")
async def test_a_publish_waits_until_every_image_is_stored(
    stored: Stored, author: Client, visited: tuple[str, list[str]]
) -> None:
    remote, asked = visited
    srcset = f'<img src="{REMOTE[0]}" srcset="{stored.urls[1]} 1x, /media/{GONE} 2x">'
    post = await created(author, content=CONTENT + srcset)
    refused = await author.post(f"/posts/{post['id']}/publish")
    assert refusal(refused) == ["broken_local_image"]
    checked = (await author.post(f"/posts/{post['id']}/check")).data["blocks"][0]
    assert checked["detail"] == {
        "measured": [f"/media/{GONE}"], "required": [], "related_ids": [], "field": "content",
    }  # fmt: skip
    whole = {"content": image(*stored.urls, remote), "featured_image": stored.urls[2]}
    assert (await author.patch(f"/posts/{post['id']}", json=whole)).status == 200
    published = await author.post(f"/posts/{post['id']}/publish")
    assert (published.status, published.data["warnings"], asked) == (200, [], [])


@pytest.mark.shows("errors.409.media", "media.delete.used")
async def test_a_medium_that_a_post_shows_is_deleted_by_force_alone_and_missed_at_the_next_publish(
    stored: Stored, author: Client
) -> None:
    cover = await created(author, title="Shown as a cover", featured_image=stored.medium["path"])
    await publish(author, title="Shown in the text", content=image(stored.urls[1]))
    refused = await author.delete("/media/1")
    assert (refused.status, refused.error["code"]) == (409, 409)
    assert all(named in refused.error["message"] for named in ("1 (Shown as a cover)", "2 (Shown in the text)"))
    assert (await author.delete("/media/1", json={"force": True})).status == 200

    assert refusal(await author.patch("/posts/2", json={"is_featured": True})) == ["broken_local_image"]
    assert refusal(await author.post(f"/posts/{cover['id']}/publish")) == ["broken_local_image"]


async def test_a_medium_that_no_post_shows_any_more_may_go(stored: Stored, author: Client) -> None:
    await created(author, featured_image=stored.medium["path"])
    await author.patch("/posts/1", json={"featured_image": ""})
    assert (await author.delete("/media/1")).status == 200


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_a_medium_is_not_deleted_while_it_is_being_published(stored: Stored, author: Client) -> None:
    """SQLite lets one writer in at a time, so the question does not arise."""
    host = stored.site.host
    rule = next(each for each in host.gate.rules if each.code == "short_title")
    deleting: list[asyncio.Task[Any]] = []

    async def linger(candidate: object, db: object) -> list[Finding]:
        """This publish holds the medium; nobody goes on before the deletion waits for it, or is over."""
        deleting.append(asyncio.create_task(author.delete("/media/1")))
        while not deleting[0].done() and not await host.db.value(WAITING):
            continue
        return []

    object.__setattr__(rule, "check", linger)
    published = await publish(author, featured_image=stored.medium["path"])
    assert (published.status, (await deleting[0]).status) == (201, 409)


async def test_deleted_media_are_missed_whatever_deleted_them(stored: Stored) -> None:
    async with stored.site.host.db.transaction() as tx:
        await tx.execute(Query(delete(media)))
    (finding,) = await stored.check(stored.urls[0])
    assert finding.measured == [stored.urls[0]]


async def test_a_body_that_is_not_stored_is_judged_as_well(stored: Stored, author: Client) -> None:
    report = (await author.post("/posts/check", json=article(content=image(f"/media/{GONE}")))).data
    assert [block["code"] for block in report["blocks"]] == ["broken_local_image"]


def test_refuses_by_its_kind() -> None:
    assert BrokenLocalImage.kind == "block"
