"""Writers of different posts never stand in each other's way: what they share, they take in one order."""

import asyncio

import pytest

from cms_host.testing import Client, Site
from cms_posts import kept_counts
from cms_posts.testing import created, unlike

POSTS = 8


@pytest.fixture
async def editor(site: Site, monkeypatch: pytest.MonkeyPatch) -> Client:
    # All writers count in the same rows, as some do now and then.
    monkeypatch.setattr(kept_counts, "SLOTS", 1)
    editor = await site.client("editor")
    assert (await editor.post("/categories", json={"name": "Coast"})).status == 201
    return editor


async def posts(editor: Client, **fields: object) -> list[int]:
    made = [created(editor, title=unlike((number, sorted(fields))), **fields) for number in range(POSTS)]
    return [record["id"] for record in await asyncio.gather(*made)]


async def test_posts_are_made_and_deleted_for_good_at_the_same_time(editor: Client) -> None:
    filed = {"categories": [1], "tags": ["Sea"]}
    old = await posts(editor, **filed)
    deleting = [editor.delete(f"/posts/{each}", json={"force": True}) for each in old]
    new, *answers = await asyncio.gather(posts(editor, **filed), *deleting)
    assert [answer.status for answer in answers] == [200] * POSTS
    assert (await editor.get("/posts", params={"category": "coast"})).data["total"] == len(new)


async def test_posts_go_to_the_trash_and_come_back_at_the_same_time(editor: Client) -> None:
    old, trashed = await posts(editor, status="published"), await posts(editor)
    for each in trashed:
        assert (await editor.delete(f"/posts/{each}")).status == 200
    answers = await asyncio.gather(
        *(editor.delete(f"/posts/{each}") for each in old),
        *(editor.post(f"/posts/{each}/publish") for each in trashed),
    )
    assert [answer.status for answer in answers] == [200] * 2 * POSTS


async def test_two_posts_want_each_other_s_slug_at_the_same_time(editor: Client) -> None:
    one, other = await created(editor, slug="one"), await created(editor, slug="other")
    answers = await asyncio.gather(
        editor.patch(f"/posts/{one['id']}", json={"slug": "other"}),
        editor.patch(f"/posts/{other['id']}", json={"slug": "one"}),
    )
    assert [answer.status for answer in answers] == [200, 200]
    slugs = [answer.data["post"]["slug"] for answer in answers]
    # Whoever comes second may find the other's slug free, or still in use.
    assert slugs[0] in ("other", "other-2")
    assert slugs[1] in ("one", "one-2")
