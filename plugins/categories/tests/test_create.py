"""POST /categories."""

import asyncio
from typing import Any

import pytest

from cms_host.testing import MakeSite, Site, assert_documented, dump

from .conftest import SQLITE_ALONE, created


async def test_create_answers_201_with_the_record(site: Site) -> None:
    client = await site.client("editor")
    answer = await client.post(
        "/categories", json={"name": " Şehir <b>haberleri</b> & co ", "description": "<i>Our</i> city."}
    )

    assert answer.status == 201
    assert answer.data == {
        "id": 1,
        "name": "Şehir haberleri & co",
        "slug": "sehir-haberleri-co",
        "description": "Our city.",
        "parent_id": None,
        "post_count": 0,
        "created_at": "2026-01-15 12:00:00",
        "updated_at": "2026-01-15 12:00:00",
    }
    assert (await client.get("/categories/sehir-haberleri-co")).data == {**answer.data, "children": []}
    await assert_documented(site, "POST", "/categories", answer)


@SQLITE_ALONE
@pytest.mark.parametrize(("role", "status"), [("subscriber", 403), ("author", 403), ("editor", 201), ("admin", 201)])
async def test_create_is_for_editors_and_above(site: Site, role: str, status: int) -> None:
    assert (await (await site.client(role)).post("/categories", json={"name": "News"})).status == status


@SQLITE_ALONE
@pytest.mark.parametrize(
    ("sent", "slug"),
    [
        ({"name": "Iğdır'ın Çayı"}, "igdirin-cayi"),
        ({"name": "News", "slug": "Latest News!"}, "latest-news"),
        ({"name": "News", "slug": "☂"}, "news"),
        ({"name": "News", "slug": ""}, "news"),
        ({"name": "☂"}, "category-1"),
        ({"name": "x" * 200}, "x" * 200),
        ({"name": "Admin"}, "admin"),
    ],
)
async def test_create_makes_the_slug(site: Site, sent: dict[str, Any], slug: str) -> None:
    assert (await created(await site.client("editor"), **sent))["slug"] == slug


async def test_create_numbers_slugs_that_are_taken(site: Site) -> None:
    client = await site.client("editor")
    slugs = []
    for number in range(3):
        parent = await created(client, f"Parent {number}")
        slugs.append((await created(client, "News", parent_id=parent["id"]))["slug"])
    slugs += [(await created(client, "Noël"))["slug"], (await created(client, "Noel"))["slug"]]
    slugs.append((await created(client, "Category 11"))["slug"])
    slugs.append((await created(client, "☂"))["slug"])
    slugs += [(await created(client, "y" * 200, slug=wish))["slug"] for wish in ("x" * 200,)]
    slugs += [(await created(client, "z" * 200, slug=wish))["slug"] for wish in ("x" * 200,)]

    assert slugs == [
        "news", "news-2", "news-3", "noel", "noel-2", "category-11", "category-10", "x" * 200, "x" * 198 + "-2",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["News", "NEWS", " nEws ", "ｎews", "<b>news</b>"])
async def test_create_of_what_its_parent_has_already_is_409_and_writes_nothing(
    site: Site, database_url: str, name: str
) -> None:
    client = await site.client("editor")
    await created(client, "World")
    await created(client, "News")
    await created(client, "News", parent_id=1)
    before = dump(database_url)

    for parent_id in (None, 1):
        answer = await client.post("/categories", json={"name": name, "parent_id": parent_id})
        assert (answer.status, answer.error["message"]) == (409, "A category of this name is in this place already")
    assert dump(database_url) == before


@SQLITE_ALONE
@pytest.mark.parametrize(
    ("sent", "status", "field"),
    [
        ({}, 400, "name"),
        ({"name": ""}, 400, "name"),
        ({"name": " \n"}, 400, "name"),
        ({"name": "<b></b>"}, 400, "name"),
        ({"name": None}, 400, "name"),
        ({"name": 5}, 400, "name"),
        ({"name": "x" * 201}, 422, "name"),
        ({"name": "News", "slug": 5}, 400, "slug"),
        ({"name": "News", "description": None}, 400, "description"),
        ({"name": "News", "description": "x" * 10_001}, 422, "description"),
        ({"name": "News", "parent_id": "1"}, 400, "parent_id"),
        ({"name": "News", "parent_id": 1.0}, 400, "parent_id"),
        ({"name": "News", "parent_id": True}, 400, "parent_id"),
        ({"name": "News", "parent_id": 7}, 422, "parent_id"),
        ({"name": "News", "parent_id": 0}, 422, "parent_id"),
        ({"name": "News", "parent_id": -1}, 422, "parent_id"),
        ({"name": "News", "parent_id": 2**63 - 1}, 422, "parent_id"),
    ],
)
async def test_create_refuses_fields_that_will_not_do(
    site: Site, database_url: str, sent: dict[str, Any], status: int, field: str
) -> None:
    client = await site.client("editor")
    before = dump(database_url)
    answer = await client.post("/categories", json=sent)

    assert (answer.status, [error["field"] for error in answer.error["errors"]]) == (status, [field])
    assert dump(database_url) == before
    await assert_documented(site, "POST", "/categories", answer)


async def test_create_under_an_id_that_no_table_can_hold_is_refused(site: Site) -> None:
    client = await site.client("editor")
    for parent_id, status in ((2**63 - 1, 422), (-(2**63), 422), (2**63, 400)):
        assert (await client.post("/categories", json={"name": "News", "parent_id": parent_id})).status == status


async def test_create_racing_for_one_name_on_two_hosts_has_one_winner(site: Site, make_site: MakeSite) -> None:
    clients = [await site.client("editor"), await (await make_site()).client("editor", "other")]
    answers = await asyncio.gather(*(clients[n % 2].post("/categories", json={"name": "News"}) for n in range(8)))

    assert sorted(answer.status for answer in answers) == [201] + [409] * 7


async def test_create_racing_for_one_slug_on_two_hosts_gives_each_its_own(site: Site, make_site: MakeSite) -> None:
    clients = [await site.client("editor"), await (await make_site()).client("editor", "other")]
    answers = await asyncio.gather(
        *(clients[n % 2].post("/categories", json={"name": f"News {n}", "slug": "news"}) for n in range(8))
    )

    assert {answer.data["slug"] for answer in answers} == {"news", *(f"news-{n}" for n in range(2, 9))}
