"""POST /users."""

import asyncio
from typing import Any

import pytest
from argon2 import PasswordHasher

from cms_host.testing import MakeSite, Site, assert_documented, dump

from .conftest import SQLITE_ALONE, made

AYSE = {"username": "ayse", "email": "ayse@example.org"}


@pytest.mark.shows("users.create", "users.record")
async def test_create_makes_the_account_that_was_sent(site: Site) -> None:
    client = await site.client("admin")
    site.clock.advance(60)
    sent = {**AYSE, "email": " Ayse@Example.org ", "name": "<b>Ayşe</b> Yılmaz", "role": "editor", "active": False}
    answer = await client.post("/users", json={**sent, "email_verified": True, "id": 7, "last_login_at": "2020-01-01"})

    assert answer.status == 201
    assert answer.data == {
        "id": 2,
        "username": "ayse",
        "name": "Ayşe Yılmaz",
        "email": "ayse@example.org",
        "role": "editor",
        "active": False,
        "email_verified": True,
        "created_at": "2026-01-15 12:01:00",
        "last_login_at": None,
    }
    assert (await client.get("/users/2")).data == answer.data
    await assert_documented(site, "POST", "/users", answer)


@SQLITE_ALONE
async def test_create_makes_an_active_subscriber_unless_told_otherwise(site: Site) -> None:
    record = await made(await site.client("admin"), name=" ")

    assert (record["role"], record["active"], record["email_verified"]) == ("subscriber", True, False)
    assert record["name"] == "ayse"


@pytest.mark.shows("users.password", "users.password.hidden")
async def test_create_keeps_a_password_as_its_argon2id_hash_alone(site: Site, database_url: str) -> None:
    answer = await (await site.client("admin")).post("/users", json={**AYSE, "password": "correct horse"})
    (kept,) = [str(value) for row in dump(database_url)["users"] for value in row if "$argon2id$" in str(value)]

    assert PasswordHasher().verify(kept, "correct horse")
    assert not PasswordHasher().check_needs_rehash(kept), "it would be quicker to try passwords than with the defaults"
    assert "horse" not in repr(dump(database_url))
    assert "password" not in answer.text
    assert kept not in answer.text


@pytest.mark.shows("users.password")
@SQLITE_ALONE
@pytest.mark.parametrize("body", [{}, {"password": None}])
async def test_create_without_a_password_makes_an_account_that_has_none(
    site: Site, database_url: str, body: dict[str, Any]
) -> None:
    await made(await site.client("admin"), **body)

    assert "argon2" not in repr(dump(database_url)["users"])


@SQLITE_ALONE
@pytest.mark.parametrize(
    ("body", "status", "fields"),
    [
        ({}, 400, ["username", "email"]),
        ({"username": " ", "email": ""}, 400, ["username", "email"]),
        ({**AYSE, "name": 5}, 400, ["name"]),
        ({**AYSE, "active": 1, "email_verified": "yes"}, 400, ["active", "email_verified"]),
        ({**AYSE, "role": None}, 400, ["role"]),
        ({**AYSE, "password": 12345678}, 400, ["password"]),
        ({**AYSE, "role": "boss"}, 422, ["role"]),
        ({"username": "Ayse", "email": "ayse", "name": "x" * 201}, 422, ["username", "email", "name"]),
        ({"username": "ayşe", "email": "a@b@c"}, 422, ["username", "email"]),
        ({**AYSE, "username": "x" * 2000}, 422, ["username"]),
        ({**AYSE, "password": "seven.."}, 422, ["password"]),
        ({**AYSE, "password": ""}, 422, ["password"]),
        ({**AYSE, "password": "x" * 1025}, 422, ["password"]),
    ],
)
async def test_create_refuses_what_can_not_be(
    site: Site, database_url: str, body: dict[str, Any], status: int, fields: list[str]
) -> None:
    client = await site.client("admin")
    before = dump(database_url)
    answer = await client.post("/users", json=body)

    assert answer.status == status, answer.text
    assert [each["field"] for each in answer.error["errors"]] == fields
    assert dump(database_url) == before


@pytest.mark.shows("errors.409.username", "users.unique")
@pytest.mark.parametrize(
    ("username", "email"),
    [("ayse", "other@example.org"), ("other", "AYSE@example.ORG"), ("other", "ａyse@example.org")],
)
async def test_create_refuses_a_name_or_address_that_is_taken(
    site: Site, database_url: str, username: str, email: str
) -> None:
    client = await site.client("admin")
    await made(client)
    before = dump(database_url)
    answer = await client.post("/users", json={"username": username, "email": email})

    assert answer.status == 409
    assert "username or e-mail" in answer.error["message"]
    assert dump(database_url) == before


@pytest.mark.shows("users.unique")
async def test_create_on_two_hosts_at_once_gives_one_name_once(site: Site, make_site: MakeSite) -> None:
    clients = [await site.client("admin"), await (await make_site(enabled=["users"])).client("admin", "second")]
    bodies = [{"username": "ayse", "email": f"ayse{number}@example.org"} for number in range(6)]
    answers = await asyncio.gather(*(clients[i % 2].post("/users", json=body) for i, body in enumerate(bodies)))

    assert sorted(answer.status for answer in answers) == [201, 409, 409, 409, 409, 409]


async def test_create_again_with_its_idempotency_key_shows_the_first_answer_and_no_password(site: Site) -> None:
    client = await site.client("admin")
    sent: dict[str, Any] = {
        "json": {**AYSE, "password": "correct horse"},
        "headers": {"Idempotency-Key": "ayse-is-new"},
    }
    first, again = await client.post("/users", **sent), await client.post("/users", **sent)

    assert (first.status, again.status, again.body) == (201, 201, first.body)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert "horse" not in again.text
    other = {**sent, "json": {**AYSE, "password": "battery staple"}}
    assert (await client.post("/users", **other)).status == 409
    assert (await client.get("/users")).data["total"] == 2
