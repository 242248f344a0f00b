"""PUT and PATCH /users/{id}."""

import asyncio
from typing import Any

import pytest
from argon2 import PasswordHasher

from cms_host.testing import Client, MakeSite, Site, assert_documented, dump

from .conftest import SQLITE_ALONE, MakeKey, made


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
@pytest.mark.shows("users.update")
async def test_update_changes_only_what_is_sent(site: Site, method: str) -> None:
    client = await site.client("admin")
    before = await made(client, role="author")
    site.clock.advance(60)
    renamed = await client.request(method, "/users/2", json={"username": "ayse.y", "name": "<i>Ayşe</i>"})
    moved = await client.request(method, "/users/2", json={"email": "AY@example.org", "role": "editor"})

    after = {**before, "username": "ayse.y", "name": "Ayşe"}
    assert (renamed.status, renamed.data) == (200, after)
    assert (moved.status, moved.data) == (200, {**after, "email": "ay@example.org", "role": "editor"})
    assert (await client.get("/users/2")).data == moved.data
    assert [each["id"] for each in (await client.get("/users?search=ay@ex")).data["items"]] == [2]
    await assert_documented(site, method, "/users/{id}", moved)


async def test_update_with_what_is_there_already_writes_nothing(site: Site, database_url: str) -> None:
    client = await site.client("admin")
    record = await made(client)
    before = dump(database_url)
    site.clock.advance(60)

    for body in ({}, record, {"email": "AYSE@example.org"}, {"id": 9, "created_at": "x", "unknown": 1}):
        assert (await client.patch("/users/2", json=body)).data == record
    assert dump(database_url) == before


@SQLITE_ALONE
async def test_update_of_the_address_makes_it_an_unverified_one(site: Site) -> None:
    client = await site.client("admin")
    await made(client, email_verified=True)
    changes: list[dict[str, Any]] = [
        {"name": "Ayşe"},
        {"email": "one@example.org"},
        {"email_verified": True},
        {"email": "two@example.org", "email_verified": True},
    ]

    verified = [(await client.patch("/users/2", json=body)).data["email_verified"] for body in changes]
    assert verified == [True, False, True, True]


@SQLITE_ALONE
@pytest.mark.shows("users.password", "users.password.hidden")
async def test_update_sets_a_password_and_takes_it_away(site: Site, database_url: str) -> None:
    client = await site.client("admin")
    record = await made(client)
    answer = await client.patch("/users/2", json={"password": "correct horse"})
    (kept,) = [str(value) for row in dump(database_url)["users"] for value in row if "$argon2id$" in str(value)]

    assert (answer.status, answer.data) == (200, record)
    assert PasswordHasher().verify(kept, "correct horse")
    assert (await client.patch("/users/2", json={"password": None})).data == record
    assert "argon2" not in repr(dump(database_url))


@SQLITE_ALONE
@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({"username": ""}, 400, "username"),
        ({"email": None}, 400, "email"),
        ({"name": " "}, 400, "name"),
        ({"name": "<b></b>"}, 422, "name"),
        ({"name": "a\nb"}, 422, "name"),
        ({"username": "A"}, 422, "username"),
        ({"email": "nobody"}, 422, "email"),
        ({"role": "root"}, 422, "role"),
        ({"active": None}, 400, "active"),
        ({"password": "short"}, 422, "password"),
    ],
)
async def test_update_refuses_what_can_not_be(
    site: Site, database_url: str, body: dict[str, Any], status: int, field: str
) -> None:
    client = await site.client("admin")
    await made(client)
    before = dump(database_url)
    answer = await client.patch("/users/2", json={"role": "editor", **body})

    assert (answer.status, [each["field"] for each in answer.error["errors"]]) == (status, [field])
    assert dump(database_url) == before


@pytest.mark.shows("users.unique")
async def test_update_refuses_a_name_or_address_that_is_taken(site: Site, database_url: str) -> None:
    client = await site.client("admin")
    await made(client)
    await made(client, "mehmet")
    before = dump(database_url)

    for body in ({"username": "ayse"}, {"email": "Ayse@example.org"}, {"role": "admin", "username": "admin"}):
        assert (await client.patch("/users/3", json=body)).status == 409
    assert dump(database_url) == before


@pytest.mark.shows("users.unique")
async def test_update_on_two_hosts_at_once_gives_one_name_once(site: Site, make_site: MakeSite) -> None:
    clients = [await site.client("admin"), await (await make_site(enabled=["users"])).client("admin", "second")]
    ids = [(await made(clients[0], f"user{number}"))["id"] for number in range(4)]
    answers = await asyncio.gather(
        *(clients[i % 2].patch(f"/users/{user_id}", json={"username": "ayse"}) for i, user_id in enumerate(ids)),
        *(client.post("/users", json={"username": "ayse", "email": "ayse@example.org"}) for client in clients),
    )

    assert sorted(answer.status < 300 for answer in answers) == [False] * 5 + [True]
    assert {answer.status for answer in answers} <= {200, 201, 409}


@SQLITE_ALONE
async def test_update_of_nobody_is_not_found_whatever_is_sent(site: Site) -> None:
    client = await site.client("admin")

    for body in ({"name": "x"}, {"role": "boss"}, {}):
        assert (await client.patch("/users/7", json=body)).status == 404


@pytest.mark.shows("users.inactive", "key.role.now")
async def test_what_is_changed_holds_for_the_keys_at_the_next_request_on_every_host(
    site: Site, make_site: MakeSite, make_key: MakeKey
) -> None:
    admin, key = await site.client("admin"), await make_key("ayse", "editor")
    clients = [Client(site, key), Client(await make_site(enabled=["users"]), key)]
    seen = []
    for body in ({"role": "admin"}, {"active": False}, {"role": "editor"}, {"active": True}):
        assert (await admin.patch("/users/2", json=body)).status == 200
        seen.append([(await client.get("/users")).status for client in clients])

    assert seen == [[200, 200], [401, 401], [401, 401], [403, 403]]
