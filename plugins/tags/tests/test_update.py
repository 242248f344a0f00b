"""PUT and PATCH /tags/{slug}."""

import asyncio

import pytest

from cms_host.testing import MakeSite, Site, assert_documented, dump
from cms_tags.api import Tags

from .conftest import SQLITE_ALONE, created, names


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
async def test_update_changes_only_what_is_sent(site: Site, method: str) -> None:
    client = await site.client("editor")
    before = await created(client, "News")
    renamed = await client.request(method, "/tags/news", json={"name": "<b>World</b> news"})
    moved = await client.request(method, "/tags/news", json={"slug": "World News"})

    assert (renamed.status, renamed.data) == (200, {**before, "name": "World news"})
    assert (moved.status, moved.data) == (200, {**before, "name": "World news", "slug": "world-news"})
    assert (await client.get("/tags/world-news")).data == moved.data
    assert (await client.get("/tags/news")).status == 404
    await assert_documented(site, method, "/tags/{slug}", moved)


async def test_update_with_what_is_there_already_moves_nothing(site: Site, database_url: str) -> None:
    client = await site.client("editor")
    record = await created(client, "News")
    before = dump(database_url)["tags"]

    assert (await client.put("/tags/news", json={"name": "News", "slug": "news"})).data == record
    assert (await client.patch("/tags/news", json={})).data == record
    assert dump(database_url)["tags"] == before


@SQLITE_ALONE
@pytest.mark.parametrize(("role", "status"), [("subscriber", 403), ("author", 403), ("editor", 200), ("admin", 200)])
async def test_update_is_for_editors_and_above(site: Site, role: str, status: int) -> None:
    await created(await site.client("editor", "first"), "News")

    assert (await (await site.client(role)).patch("/tags/news", json={"name": "World"})).status == status


async def test_update_may_spell_the_own_name_anew(site: Site) -> None:
    client = await site.client("editor")
    await created(client, "isik")

    assert (await client.patch("/tags/isik", json={"name": "Işık"})).data["name"] == "Işık"


@pytest.mark.parametrize(
    ("wish", "slug"), [("news", "news-2"), ("news-2", "news-2"), ("☂", "news-2"), ("", "news-2"), ("A b", "a-b")]
)
async def test_update_gives_a_slug_that_is_free(site: Site, wish: str, slug: str) -> None:
    client = await site.client("editor")
    await created(client, "News")
    await created(client, "Other", slug="news")

    assert (await client.patch("/tags/news-2", json={"slug": wish})).data["slug"] == slug


async def test_update_to_the_name_of_another_is_409_and_writes_nothing(site: Site, database_url: str) -> None:
    client = await site.client("editor")
    await created(client, "Işık")
    await created(client, "Gölge")
    before = dump(database_url)
    answer = await client.patch("/tags/golge", json={"name": "ISIK", "slug": "new"})

    assert (answer.status, answer.error["message"]) == (409, "There is a tag of this name already")
    assert dump(database_url) == before


@SQLITE_ALONE
async def test_update_of_nothing_is_404_before_its_body_is_read(site: Site) -> None:
    client = await site.client("editor")
    answer = await client.patch("/tags/nothing", data=b"{", headers={"Content-Type": "application/json"})

    assert answer.status == 404


async def test_update_racing_with_others_that_want_the_name_has_one_winner(site: Site, make_site: MakeSite) -> None:
    one, other = await site.client("editor"), await (await make_site()).client("editor", "other")
    for number in range(4):
        await created(one, f"Tag {number}")
    answers = await asyncio.gather(
        one.patch("/tags/tag-0", json={"name": "News", "slug": "news"}),
        other.patch("/tags/tag-1", json={"name": "News", "slug": "news"}),
        one.post("/tags", json={"name": "news"}),
        other.patch("/tags/tag-2", json={"name": "Others", "slug": "news"}),
        other.post("/tags", json={"name": "news", "slug": "news"}),
    )

    assert sorted(answer.status for answer in answers if answer.status >= 400) == [409] * 3
    assert len(await names(one, "?search=news")) == 1


async def test_update_waits_for_whoever_adds_the_name(site: Site) -> None:
    client = await site.client("editor")
    await created(client, "Old")
    async with site.host.unit().write() as unit:
        await unit.get(Tags).find_or_create(["New"])
        rival = asyncio.create_task(client.patch("/tags/old", json={"name": "New"}))
        await asyncio.wait([rival], timeout=0.3)
        assert not rival.done()

    assert (await rival).status == 409
