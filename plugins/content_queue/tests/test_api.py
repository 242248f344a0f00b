"""The API shows the queue to editors, and does not write to it."""

from pathlib import Path

import pytest

from cms_host.testing import MakeSite, Site, dump
from cms_posts.testing import article as body

from .conftest import SQLITE_ALONE, article, queued, write


@pytest.mark.shows("service.queue")
async def test_posts_of_the_api_leave_the_queue_as_it_was(site: Site, folder: Path, database_url: str) -> None:
    admin = await site.client("admin", "root")
    await queued(site, write(folder / "a.md", article()))
    before = dump(database_url)["queue_items"]
    answers = [await admin.post("/posts", json=body(title=title, status=status)) for title, status in (
        ("A walk along the harbour", "draft"), ("A walk along the river", "published"), ("A walk by night", "pending"),
    )]  # fmt: skip
    changed = await admin.patch("/posts/1", json={"title": "A walk at noon"})

    assert [answer.status for answer in (*answers, changed)] == [201, 201, 201, 200]
    assert dump(database_url)["queue_items"] == before


@pytest.mark.shows("actions.queue-pending")
async def test_what_waits_is_shown_by_an_action_of_the_webhook_family(site: Site, folder: Path) -> None:
    editor = await site.client("editor")
    await queued(site, write(folder / "walk.html", "<h1>A walk</h1>Text"))
    await queued(site, write(folder / "talk.md", "# A talk\nText"))
    answers = [await editor.post("/webhook/queue-pending", json=body) for body in ({}, {"page": 2, "per_page": 1})]

    walk = {"id": 1, "title": "A walk", "source": "walk.html", "format": "html", "created_at": "2026-01-15 12:00:00"}
    talk = {**walk, "id": 2, "title": "A talk", "source": "talk.md", "format": "markdown"}
    assert [(each.status, each.data["items"], each.data["total"]) for each in answers] == [
        (200, [walk, talk], 2), (200, [talk], 2),
    ]  # fmt: skip


@SQLITE_ALONE
async def test_without_the_queue_there_is_nothing_to_show(make_site: MakeSite) -> None:
    site = await make_site(disabled=["content-queue"])
    answer = await (await site.client("editor")).post("/webhook/queue-pending", json={})

    assert (answer.status, answer.error["message"]) == (404, "Not found")
