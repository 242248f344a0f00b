"""When the moments of a post move, and when they do not (spec, Timestamp rules)."""

from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import delete, update

from cms_host.api import Query
from cms_host.testing import Client, Site, dump
from cms_posts.tables import counts, outlines
from cms_posts.tables import seo as seo_records
from cms_posts.testing import CONTENT, created, unlike

#: What readers would see, one field at a time.
FACING: dict[str, Any] = {
    "title": "Another title",
    "content": CONTENT + "<p>More.</p>",
    "excerpt": "By hand",
    "featured_image": "2026/01/another.jpg",
    "slug": "another-slug",
    "sources": {"sources": ["A law"]},
    "ai_disclosure": {"ai_disclosure": "By machine"},
}
#: What they would not.
UNSEEN: dict[str, Any] = {
    "status": "pending",
    "visibility": "private",
    "type": "page",
    "scheduled_at": "2026-06-01 09:30:00",
    "comment_status": "closed",
    "is_featured": True,
    "reviewed": True,
    "original_notes": {"original_notes": "In the drawer"},
    "ymyl": {"ymyl": True},
}


def sent(change: str, value: Any) -> dict[str, Any]:
    return {"editorial": value} if isinstance(value, dict) else {change: value}


@pytest.mark.parametrize("change", FACING)
@pytest.mark.shows("time.modified.changes", "time.modified.facing")
async def test_what_readers_see_moves_content_modified_at(site: Site, editor: Client, change: str) -> None:
    await created(editor)
    site.clock.advance(60)
    body = sent(change, FACING[change])
    after = (await editor.patch("/posts/1", json=body)).data["post"]
    assert after["content_modified_at"] == "2026-01-15T12:01:00.000000+00:00"
    site.clock.advance(60)
    again = (await editor.patch("/posts/1", json=body)).data["post"]
    assert again["content_modified_at"] == after["content_modified_at"]


@pytest.mark.parametrize("change", UNSEEN)
@pytest.mark.shows("time.modified.stays", "time.modified.facing", "time.updated.touch")
async def test_what_readers_do_not_see_moves_updated_at_alone(site: Site, editor: Client, change: str) -> None:
    before = await created(editor)
    site.clock.advance(60)
    after = (await editor.patch("/posts/1", json=sent(change, UNSEEN[change]))).data["post"]

    assert after["content_modified_at"] == before["content_modified_at"]
    assert after["updated_at"] == "2026-01-15 12:01:00"
    assert after["created_at"] == before["created_at"]


@pytest.mark.shows("time.updated.touch", "time.modified.stays")
async def test_a_write_that_changes_nothing_moves_nothing(site: Site, editor: Client) -> None:
    before = await created(editor, editorial={"sources": ["A law"]}, tags=["Sea"])
    site.clock.advance(60)
    same = {name: before[name] for name in ("title", "content", "slug", "excerpt", "status", "editorial")}
    for body in ({}, same, {"tags": ["Sea"]}, {"categories": []}):
        assert (await editor.patch("/posts/1", json=body)).data["post"] == before
        assert (await editor.get("/posts/1")).data == before


@pytest.mark.shows("time.updated.system")
async def test_work_of_the_system_moves_updated_at_at_most(site: Site, editor: Client, database_url: str) -> None:
    """Indexes that have to be made anew, what robots are told among them, every job, and another form of addresses."""
    for number, status in enumerate(("published", "draft", "pending", "trash")):
        seo = {"robots": "noindex", "meta_title": "By hand"}
        await created(editor, title=unlike(number), status=status, tags=["Sea"], seo=seo)
    await created(editor, title=unlike("later"), scheduled_at="2026-06-01 09:30:00")
    before = dump(database_url, without=["posts.updated_at"])["posts"]
    site.clock.advance(60)
    async with site.host.db.transaction() as tx:
        for table in (outlines, counts):
            await tx.execute(Query(delete(table)))
        await tx.execute(Query(update(seo_records).values(noindex=False)))
    damaged = {each.name for each in site.host.indexes if await each.verify(site.host.db)}
    assert damaged >= {"posts.outlines", "posts.totals", "posts.robots"}
    for index in site.host.indexes:
        await index.rebuild(site.host.unit(), lambda done, total: None)
        assert await index.verify(site.host.db) == [], index.name
    for name in site.host.jobs.names:
        assert await site.run_job(name), name
    await site.set(permalink="{base_url}/blog/{slug}")

    record = (await editor.get("/posts/1?with_relations=1")).data
    assert record["seo"]["canonical_url"].endswith(f"/blog/{record['slug']}")
    assert dump(database_url, without=["posts.updated_at"])["posts"] == before


@pytest.mark.shows("time.modified.micros", "time.modified.grows", "values.moment.default")
async def test_content_modified_at_tells_two_edits_of_one_moment_apart(site: Site, editor: Client) -> None:
    stamps = [(await created(editor))["content_modified_at"]]
    stamps += [
        (await editor.patch("/posts/1", json={"title": f"Title {n}"})).data["post"]["content_modified_at"]
        for n in range(5)
    ]
    assert stamps[0] == "2026-01-15T12:00:00.000000+00:00"
    assert sorted(set(stamps)) == stamps
    site.clock.advance(0.123457)
    stamps.append((await editor.patch("/posts/1", json={"title": "Finer"})).data["post"]["content_modified_at"])
    assert stamps[-1] == "2026-01-15T12:00:00.123457+00:00"
    # Not even a clock that is set back makes it fall.
    site.clock.advance(-3600)
    last = (await editor.patch("/posts/1", json={"title": "Later"})).data["post"]["content_modified_at"]
    assert datetime.fromisoformat(last) > datetime.fromisoformat(stamps[-1])


@pytest.mark.shows("time.published.first", "time.published.kept", "state.publish.stamp")
async def test_published_at_is_the_first_time_whatever_happens_later(site: Site, editor: Client) -> None:
    assert (await created(editor))["published_at"] is None
    site.clock.advance(60)
    stamp = (await editor.post("/posts/1/publish")).data["post"]["published_at"]
    assert stamp == "2026-01-15 12:01:00"
    steps = [
        lambda: editor.post("/posts/1/publish"),
        lambda: editor.patch("/posts/1", json={"title": "A title that is long enough"}),
        lambda: editor.patch("/posts/1", json={"status": "draft"}),
        lambda: editor.delete("/posts/1"),
        lambda: editor.put("/posts/1", json={"status": "published"}),
        lambda: editor.patch("/posts/1", json={"published_at": "2020-01-01 00:00:00"}),
    ]
    for step in steps:
        site.clock.advance(3600)
        assert (await step()).status == 200
        assert (await editor.get("/posts/1")).data["published_at"] == stamp


@pytest.mark.shows("values.moment.zone", "post.created_at", "post.content_modified_at")
async def test_moments_are_shown_in_the_sites_zone(site: Site, editor: Client) -> None:
    await created(editor, status="published")
    await site.set(timezone="Europe/Istanbul")
    record = (await editor.get("/posts/1")).data

    assert {record[name] for name in ("created_at", "updated_at", "published_at")} == {"2026-01-15 15:00:00"}
    assert record["content_modified_at"] == "2026-01-15T15:00:00.000000+03:00"


@pytest.mark.shows("values.moment.input", "values.moment.zone", "post.scheduled_at")
async def test_moments_are_taken_in_several_forms(site: Site, author: Client) -> None:
    await site.set(timezone="Europe/Istanbul")

    for sent, shown in (
        ("2026-06-01 09:30:00", "2026-06-01 09:30:00"),
        ("2026-06-01T09:30:00", "2026-06-01 09:30:00"),
        ("2026-06-01T09:30:00Z", "2026-06-01 12:30:00"),
        ("2026-06-01T09:30:00+01:00", "2026-06-01 11:30:00"),
        ("2026-06-01T09:30:00.25-05:00", "2026-06-01 17:30:00"),
        ("2026-06-01", "2026-06-01 00:00:00"),
    ):
        assert (await created(author, scheduled_at=sent))["scheduled_at"] == shown


@pytest.mark.shows("values.moment.input", "values.moment.zone", "list.date_from")
async def test_moments_of_a_query_are_taken_in_the_same_forms(site: Site, editor: Client) -> None:
    await site.set(timezone="Europe/Istanbul")
    await created(editor)
    for sent, total in (
        ("2026-01-15 15:00:00", 1), ("2026-01-15 15:00:01", 0), ("2026-01-15T15:00:00", 1), ("2026-01-15T15:00:01", 0),
        ("2026-01-15T12:00:00Z", 1), ("2026-01-15T12:00:01Z", 0), ("2026-01-15T07:00:00-05:00", 1),
        ("2026-01-15T07:00:01-05:00", 0), ("2026-01-15", 1), ("2026-01-16", 0),
    ):  # fmt: skip
        assert (await editor.get("/posts", params={"date_from": sent})).data["total"] == total, sent


@pytest.mark.shows("values.moment.refused", "list.date.refused", "errors.422.scheduled_at")
async def test_what_is_no_moment_is_422(editor: Client) -> None:
    for text in ("tomorrow", "2026-02-30", "2026-13-01 00:00:00", "31.01.2026", "", "2026-01-01 25:00:00"):
        answer = await editor.post("/posts", json={"title": "x", "content": "y", "scheduled_at": text})
        assert (answer.status, answer.error["errors"][0]["field"]) == (422, "scheduled_at")
        for name in ("date_from", "date_to", "updated_before"):
            answer = await editor.get("/posts", params={name: text})
            assert (answer.status, answer.error["errors"][0]["field"]) == (422, name)


@pytest.mark.shows("post.scheduled_at")
async def test_scheduled_at_is_null_unless_the_post_is_scheduled(author: Client) -> None:
    assert (await created(author))["scheduled_at"] is None
    record = await created(author, scheduled_at="2026-06-01 09:30:00")
    assert (record["status"], record["scheduled_at"]) == ("scheduled", "2026-06-01 09:30:00")
    left = (await author.patch("/posts/2", json={"status": "draft"})).data["post"]
    assert (left["status"], left["scheduled_at"]) == ("draft", None)
