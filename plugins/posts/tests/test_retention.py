"""The job `posts.empty-trash`, and the setting `posts.trash_days`."""

import pytest

from cms_host.api import PostChange, PostObserver, Transaction
from cms_host.testing import Client, Site
from cms_posts import trash
from cms_posts.testing import unlike

JOB = "posts.empty-trash"
DAY = 86_400
SQLITE_ALONE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


async def made(client: Client, status: str) -> int:
    body = {"title": unlike(status), "content": "<p>Text.</p>", "status": status}
    number: int = (await client.post("/posts", json=body)).data["id"]
    return number


async def left(client: Client) -> list[int]:
    """The ids of all posts, the trash included."""
    query = "/posts?status=trash,draft,pending,published,scheduled&order_by=id&order_dir=asc&per_page=100"
    return [each["id"] for each in (await client.get(query)).data["items"]]


@pytest.mark.shows("posts.retention")
async def test_what_was_trashed_long_ago_is_deleted_for_good_and_nothing_else(site: Site) -> None:
    client = await site.client("author")
    for status in ("trash", "draft", "draft", "trash", "draft"):
        await made(client, status)
    # By DELETE, by a status; and one that was there, and came back.
    await client.delete("/posts/2")
    await client.patch("/posts/3", json={"status": "trash"})
    await client.patch("/posts/4", json={"status": "draft"})
    site.clock.advance(5 * DAY)
    # To change what is in the trash is no reason to keep it; to throw it away anew is.
    await client.patch("/posts/1", json={"title": "Another title"})
    await client.patch("/posts/2", json={"status": "pending"})
    await client.delete("/posts/2")
    site.clock.advance(5 * DAY - 1)
    await site.set(**{"posts.trash_days": 10})

    assert await site.run_job(JOB)
    assert await left(client) == [1, 2, 3, 4, 5]
    site.clock.advance(3600)
    assert await site.run_job(JOB)
    assert await left(client) == [2, 4, 5]
    assert [line for index in site.host.indexes for line in await index.verify(site.host.db)] == []


@SQLITE_ALONE
@pytest.mark.shows("posts.retention")
async def test_trash_is_kept_by_default(site: Site) -> None:
    client = await site.client("author")
    await made(client, "trash")
    site.clock.advance(4000 * DAY)
    assert await site.run_job(JOB)

    assert await left(client) == [1]


@SQLITE_ALONE
async def test_a_post_that_can_t_be_deleted_is_in_nobody_s_way(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Failing(PostObserver):
        async def saved(self, change: PostChange, tx: Transaction) -> None:
            if change.post_id == 2:
                raise RuntimeError("not this one")

    client = await site.client("author")
    for _ in range(5):
        await made(client, "trash")
    monkeypatch.setattr(trash, "BATCH", 2)
    await site.set(**{"posts.trash_days": 1})
    site.clock.advance(2 * DAY)
    site.host.post_observers = [Failing()]
    assert await site.run_job(JOB)

    assert await left(client) == [2]
    assert "a post in the trash could not be deleted" in caplog.text
