"""What posts show of the media, kept in step with whatever is done to them."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from sqlalchemy import select

from cms_host.api import Query, Transaction
from cms_host.testing import Client, MakeSite, Site
from cms_posts.filling import fill
from cms_posts.tables import post_media
from cms_posts.testing import CONTENT, created

from .damages import rebuilt, told

BASE = "https://site.example"
#: Local in every way that there is, remote, and local without being a stored file.
IMAGES = (
    '<img src="/media/1/a.jpg" srcset="/media/1/a.webp 1x, https://site.example/media/1/a.avif 2x">'
    '<picture><source srcset="media/1/b.avif"><img src="/media/1/a.jpg"></picture>'
    '<video src="/media/1/v.mp4" poster="/media/1/p.jpg"></video>'
    '<img src="https://elsewhere.example/media/1/c.jpg"><img src="/static/d.jpg">'
)
SHOWN = {"1/a.jpg", "1/a.webp", "1/a.avif", "1/b.avif", "1/p.jpg"}
_ROWS = Query(select(post_media.c.post_id, post_media.c.as_cover, post_media.c.path))


@pytest.fixture
async def site(make_site: MakeSite) -> Site:
    return await make_site(base_url=BASE)


@pytest.fixture
async def client(site: Site) -> Client:
    return await site.client("author")


async def noted(site: Site, post_id: int = 1) -> tuple[set[str], set[str]]:
    """Covers and images of a post."""
    assert "posts.media" not in await told(site.host)
    rows = await site.host.db.all(_ROWS)
    covers, images = ({path for each, is_cover, path in rows if (each, is_cover) == (post_id, kind)} for kind in (1, 0))
    return covers, images


async def patched(client: Client, **changes: Any) -> dict[str, Any]:
    answer = await client.patch("/posts/1", json=changes)
    assert answer.status == 200, answer.text
    record: dict[str, Any] = answer.data["post"]
    return record


async def test_local_images_and_the_cover_are_noted(site: Site, client: Client) -> None:
    await created(client, content=CONTENT + IMAGES, featured_image="1/cover.jpg")
    assert await noted(site) == ({"1/cover.jpg"}, SHOWN)


async def test_a_changed_cover_leaves_the_images_alone_and_the_other_way_round(site: Site, client: Client) -> None:
    await created(client, content=CONTENT + IMAGES, featured_image="1/a.jpg")
    await patched(client, featured_image="1/other.jpg")
    assert await noted(site) == ({"1/other.jpg"}, SHOWN)
    await patched(client, content=CONTENT + '<img src="/media/1/z.jpg">')
    assert await noted(site) == ({"1/other.jpg"}, {"1/z.jpg"})
    await patched(client, content=CONTENT, featured_image="https://elsewhere.example/a.jpg")
    assert await noted(site) == (set(), set())


@pytest.fixture
def statements(site: Site, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the site's transactions wrote about media, by the first word."""
    ran: list[str] = []
    transaction = site.host.db.transaction

    @asynccontextmanager
    async def listening(lock: str | None = None) -> AsyncIterator[Transaction]:
        async with transaction(lock) as tx:
            send, many = tx.send, tx.execute_many

            async def sent(query: Query[Any], /, **values: Any) -> None:
                note(query, 1)
                await send(query, **values)

            async def sent_many(query: Query[Any], rows: Iterable[Any], /) -> None:
                found = list(rows)
                note(query, len(found))
                await many(query, found)

            monkeypatch.setattr(tx, "send", sent)
            monkeypatch.setattr(tx, "execute_many", sent_many)
            yield tx

    def note(query: Query[Any], times: int) -> None:
        sql = query.compiled(site.host.db.dialect).sql
        ran.extend([sql.split()[0]] * times if "post_media" in sql else [])

    monkeypatch.setattr(site.host.db, "transaction", listening)
    return ran


async def test_nothing_is_written_about_media_that_stay_what_they_are(client: Client, statements: list[str]) -> None:
    record = await created(client)
    assert statements == []
    same = {"content": record["content"], "featured_image": record["featured_image"]}
    for change in (
        {"title": "Another title"},
        same,
        {"tags": ["Sea"]},
        {"status": "published"},
        {"excerpt": "By hand"},
    ):
        await patched(client, **change)
    assert (await client.post("/posts/1/publish")).status == 200
    assert statements == []
    await patched(client, featured_image="1/a.jpg", status="draft")
    await patched(client, featured_image="/media/1/a.jpg")
    assert statements == ["DELETE", "INSERT"]


async def test_restoring_brings_back_what_was_shown(site: Site, client: Client) -> None:
    await created(client, content=CONTENT + IMAGES, featured_image="1/a.jpg")
    await patched(client, content=CONTENT, featured_image="")
    assert (await client.post("/posts/1/revisions/1/restore")).status == 200
    assert await noted(site) == ({"1/a.jpg"}, SHOWN)


async def test_the_trash_keeps_what_is_noted_and_deletion_for_good_does_not(site: Site, client: Client) -> None:
    await created(client, content=CONTENT + IMAGES)
    await client.delete("/posts/1")
    assert (await noted(site))[1] == SHOWN
    await client.delete("/posts/1", json={"force": True})
    assert await site.host.db.all(_ROWS) == []


async def test_what_is_written_in_bulk_is_noted(site: Site) -> None:
    await site.key("admin")
    async for _ in fill(site.host, 20, 1):
        pass
    await noted(site)


async def test_another_address_of_the_site_is_told_and_taken_up(make_site: MakeSite, client: Client) -> None:
    await created(client, content=CONTENT + IMAGES, featured_image="")
    moved = await make_site(base_url="https://elsewhere.example")

    assert await told(moved.host) == {"posts.media": ["post_media does not have what post 1 shows"]}
    await rebuilt(moved.host, "posts.media")
    assert await noted(moved) == (set(), SHOWN - {"1/a.avif"} | {"1/c.jpg"})


async def test_a_cover_is_stored_as_the_path_that_its_address_names(client: Client) -> None:
    record = await created(client, featured_image=f"{BASE}/media/2026/11/a.webp")
    assert record["featured_image"] == "2026/11/a.webp"
    modified = record["content_modified_at"]
    for same in ("/media/2026/11/a.webp", "2026/11/a.webp", f"{BASE}/media/2026/11/a.webp"):
        assert (await patched(client, featured_image=same))["content_modified_at"] == modified
    remote = "https://elsewhere.example/a.jpg?w=1"
    assert (await patched(client, featured_image=remote))["featured_image"] == remote


async def test_the_cover_that_search_engines_get_is_where_the_medium_is(client: Client) -> None:
    await created(client, featured_image="/media/2026/11/a.webp")
    for cover, address in (
        ("2026/11/a.jpg", f"{BASE}/media/2026/11/a.jpg"),
        ("https://e.example/a", "https://e.example/a"),
    ):
        await patched(client, featured_image=cover)
        seo = (await client.get("/posts/1", params={"with_relations": 1})).data["seo"]
        assert (seo["og_image"], seo["schema_data"]["image"]) == (address, address)
