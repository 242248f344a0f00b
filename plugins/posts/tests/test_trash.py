"""DELETE /posts/{id}."""

import pytest

from cms_host.testing import Site
from cms_posts.testing import created


async def test_delete_moves_to_the_trash_and_keeps_the_row(site: Site) -> None:
    client = await site.client("author")
    await created(client, status="published")
    answer = await client.delete("/posts/1")
    assert answer.status == 200
    assert answer.data == {"success": True}
    assert (await client.get("/posts/1")).data["status"] == "trash"
    assert (await (await site.client("subscriber")).get("/posts/1")).status == 404


async def test_delete_of_a_trashed_post_succeeds(site: Site) -> None:
    client = await site.client("author")
    await created(client)
    assert [(await client.delete("/posts/1")).status for _ in range(2)] == [200, 200]


async def test_delete_with_force_removes_for_good_and_frees_the_slug(site: Site) -> None:
    client = await site.client("author")
    await created(client)
    assert (await client.delete("/posts/1", json={"force": True})).data == {"success": True}
    assert (await client.get("/posts/1")).status == 404
    record = await created(client)
    # An id is never given twice.
    assert (record["id"], record["slug"]) == (2, "a-walk-along-the-harbour")
    assert (await client.get("/posts")).data["total"] == 1


@pytest.mark.parametrize("force", ["true", 1, "yes"])
async def test_delete_with_force_of_another_kind_is_refused(site: Site, force: object) -> None:
    client = await site.client("author")
    await created(client)
    assert (await client.delete("/posts/1", json={"force": force})).status == 400
    assert (await client.get("/posts/1")).status == 200


async def test_delete_of_anothers_post_is_refused(site: Site) -> None:
    await created(await site.client("author"), status="published")
    answer = await (await site.client("author", "other")).delete("/posts/1")
    assert (answer.status, answer.error["message"]) == (403, "You can only modify your own content")


async def test_delete_is_undone_by_a_status(site: Site) -> None:
    client = await site.client("author")
    await created(client)
    await client.delete("/posts/1")
    assert (await client.put("/posts/1", json={"status": "draft"})).data["post"]["status"] == "draft"
