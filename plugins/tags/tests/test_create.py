"""POST /tags."""

import asyncio
from typing import Any

import pytest

from cms_host.testing import MakeSite, Site, assert_documented, dump

from .conftest import SQLITE_ALONE, created


async def test_create_answers_201_with_the_record(site: Site) -> None:
    client = await site.client("editor")
    answer = await client.post("/tags", json={"name": " Çay <b>bahçesi</b> & co "})

    assert answer.status == 201
    assert answer.data == {
        "id": 1,
        "name": "Çay bahçesi & co",
        "slug": "cay-bahcesi-co",
        "post_count": 0,
        "created_at": "2026-01-15 12:00:00",
    }
    assert (await client.get("/tags/cay-bahcesi-co")).data == answer.data
    await assert_documented(site, "POST", "/tags", answer)


@SQLITE_ALONE
@pytest.mark.parametrize(("role", "status"), [("subscriber", 403), ("author", 403), ("editor", 201), ("admin", 201)])
async def test_create_is_for_editors_and_above(site: Site, role: str, status: int) -> None:
    assert (await (await site.client(role)).post("/tags", json={"name": "News"})).status == status


async def test_create_numbers_slugs_that_are_taken(site: Site) -> None:
    client = await site.client("editor")
    wanted: list[dict[str, Any]] = [
        {"name": "Noël"}, {"name": "Noel"}, {"name": "No.el", "slug": "noel"},
        {"name": "y", "slug": "x" * 300}, {"name": "z", "slug": "x" * 300}, {"name": "w", "slug": "☂"},
    ]  # fmt: skip

    assert [(await created(client, **each))["slug"] for each in wanted] == [
        "noel", "noel-2", "noel-3", "x" * 200, "x" * 198 + "-2", "w",
    ]  # fmt: skip


async def test_create_with_nothing_for_a_slug_makes_it_of_the_id(site: Site) -> None:
    client = await site.client("editor")
    await created(client, "Tag 2")

    assert [(await created(client, name))["slug"] for name in "☂☃"] == ["tag-2-2", "tag-3"]


@pytest.mark.parametrize("name", ["Işık", "IŞIK", " isik ", "<b>ı</b>şık", "ｉşık"])
async def test_create_of_a_name_that_folds_like_another_is_409_and_writes_nothing(
    site: Site, database_url: str, name: str
) -> None:
    client = await site.client("editor")
    await created(client, "ışık")
    before = dump(database_url)
    answer = await client.post("/tags", json={"name": name, "slug": "something-else"})

    assert (answer.status, answer.error["message"]) == (409, "There is a tag of this name already")
    assert dump(database_url) == before


@SQLITE_ALONE
@pytest.mark.parametrize(
    ("sent", "status", "field"),
    [
        ({}, 400, "name"),
        ({"name": " "}, 400, "name"),
        ({"name": "<b></b>"}, 400, "name"),
        ({"name": ["a"]}, 400, "name"),
        ({"name": "x" * 201}, 422, "name"),
        ({"name": "News", "slug": 5}, 400, "slug"),
    ],
)
async def test_create_refuses_fields_that_will_not_do(
    site: Site, database_url: str, sent: dict[str, Any], status: int, field: str
) -> None:
    client = await site.client("editor")
    before = dump(database_url)
    answer = await client.post("/tags", json=sent)

    assert (answer.status, [error["field"] for error in answer.error["errors"]]) == (status, [field])
    assert dump(database_url) == before


async def test_create_racing_for_one_name_on_two_hosts_has_one_winner(site: Site, make_site: MakeSite) -> None:
    clients = [await site.client("editor"), await (await make_site()).client("editor", "other")]
    answers = await asyncio.gather(*(clients[n % 2].post("/tags", json={"name": "News"}) for n in range(8)))

    assert sorted(answer.status for answer in answers) == [201] + [409] * 7


async def test_create_racing_for_one_slug_on_two_hosts_gives_each_its_own(site: Site, make_site: MakeSite) -> None:
    clients = [await site.client("editor"), await (await make_site()).client("editor", "other")]
    answers = await asyncio.gather(
        *(clients[n % 2].post("/tags", json={"name": f"News {n}", "slug": "news"}) for n in range(8))
    )

    assert {answer.data["slug"] for answer in answers} == {"news", *(f"news-{n}" for n in range(2, 9))}
