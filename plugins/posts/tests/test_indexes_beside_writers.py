"""Indexes are made anew while others write: what is mended is what is there in the end."""

import asyncio

import pytest
from sqlalchemy import column, func, literal, select, table

from cms_host.api import Query
from cms_host.testing import Client, Site
from cms_posts import kept_counts, store
from cms_posts.filling import fill
from cms_posts.testing import created

from .damages import DAMAGES, damage, filed_post, rebuilt, told

_activity = table("pg_stat_activity", column("wait_event_type"), column("datname"))
WAITING = Query(
    select(func.count().label("n"))
    .select_from(_activity)
    .where(_activity.c.wait_event_type == literal("Lock"), _activity.c.datname == func.current_database())
)


@pytest.fixture
async def editor(site: Site) -> Client:
    return await site.client("editor")


async def test_posts_are_written_while_indexes_are_made_anew(site: Site, editor: Client) -> None:
    async for _ in fill(site.host, 250, 1):
        pass
    children = [each["slug"] for each in (await editor.get("/categories")).data["items"] if each["parent_id"]]
    for name in ("total gone", "category's number gone", "tag's number too high"):
        await damage(site, DAMAGES[name].query, 0)
    for post in range(1, 250, 7):
        await damage(site, DAMAGES["outline gone"].query, post)
        await damage(site, DAMAGES["search lost the post"].query, post)
    writing = [write_and_delete(editor, number) for number in range(6)]
    moving = [editor.patch(f"/categories/{slug}", json={"parent_id": None}) for slug in children[:3]]
    _, *moved = await asyncio.gather(rebuilt(site.host), *moving, *writing)
    assert [answer.status for answer in moved[:3]] == [200, 200, 200]
    assert await told(site.host) == {}


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_numbers_are_counted_when_those_who_count_have_finished(
    site: Site, editor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite lets one writer in at a time, so the question does not arise."""
    monkeypatch.setattr(kept_counts, "SLOTS", 1)
    post = await store.find(site.host.db, await filed_post(editor))
    assert post is not None
    await damage(site, DAMAGES["total too high"].query, 0)
    async with site.host.unit().write() as unit:
        assert await store.claim_slug(unit.tx, "another", None)
        await store.add(unit.tx, post._replace(id=0, slug="another"))
        # What was sent is carried out before something is read.
        assert await store.find(unit.tx, post.id)
        counting = asyncio.create_task(rebuilt(site.host, "posts.totals"))
        while not await site.host.db.value(WAITING):
            assert not counting.done()
            await asyncio.sleep(0.01)  # PostgreSQL tells nobody that somebody waits.
    await counting
    assert "posts.totals" not in await told(site.host)


async def write_and_delete(editor: Client, number: int) -> None:
    """The life of three posts, the last of which stays; each act on what is being rebuilt."""
    for force in (True, False, None):
        post = (await created(editor, title=f"Harbour {number}", categories=[1, 2, 3], tags=["Sea"]))["id"]
        changes = {
            "title": f"Another harbour {number}",
            "slug": f"harbour-{number}",
            "categories": [2, 5],
            "tags": ["Fog"],
        }
        assert (await editor.patch(f"/posts/{post}", json=changes)).status == 200
        assert (await editor.patch(f"/posts/{number + 1}", json={"status": "trash", "categories": [4]})).status == 200
        if force is not None:
            assert (await editor.delete(f"/posts/{post}", json={"force": force})).status == 200
