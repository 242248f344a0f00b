"""Keys and passwords never reach a log."""

import logging

import pytest

from cms_host.api import UnitOfWork
from cms_host.testing import Client, Site
from cms_users.api import Ownership
from cms_users.passwords import hash_password
from cms_users.service import AccountService

from .conftest import MakeKey, named

CANARY = "canary-in-a-password"


async def test_key_is_in_no_log_line_whatever_becomes_of_the_request(
    site: Site, make_key: MakeKey, caplog: pytest.LogCaptureFixture, log_lines: list[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    keys = [await make_key(), await make_key("ayse2", "editor"), "cms_" + "canary" * 7, "canary ş" * 40]
    for key in keys[:3]:
        for headers in ({"X-API-Key": key}, {"Api-Key": key}, {"Authorization": f"Bearer {key}"}):
            await site.anonymous.get("/users", headers=headers)
        await site.anonymous.get("/users", headers={"X-API-Key": key, "Api-Key": "another"})
    await site.anonymous.get("/users", headers={"X-API-Key": keys[3]})
    await site.host.db.close()
    assert (await Client(site, keys[0]).get("/users")).status == 500
    await site.host.db.open()

    lines = "\n".join(log_lines)
    assert "request failed" in lines
    assert not [key for key in keys if key[4:20] in lines or key[4:20] in caplog.text]


async def test_password_is_in_no_log_line(site: Site, make_key: MakeKey, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    await make_key()
    kept = await hash_password(CANARY)
    async with site.host.unit().write() as unit:
        await unit.get(AccountService).change((await named(site, "ayse")).id, {"password_hash": kept})

    assert CANARY not in caplog.text
    assert kept not in caplog.text


async def test_password_that_is_sent_is_in_no_log_line_whatever_becomes_of_the_request(
    site: Site, make_key: MakeKey, caplog: pytest.LogCaptureFixture, log_lines: list[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    client = Client(site, await make_key())
    body = {"username": "zoe", "email": "zoe@example.org", "password": CANARY}
    answers = [
        await client.post("/users", json=body, headers={"Idempotency-Key": "zoe-is-new"}),
        await client.post("/users", json=body),
        await client.patch("/users/2", json={"password": CANARY}),
        await client.patch("/users/2", json={"password": CANARY, "role": "boss"}),
        await client.post("/users", json={**body, "password": CANARY * 100}),
        await client.post("/users", data=f'{{"password": "{CANARY}"'.encode()),
    ]
    assert [answer.status for answer in answers] == [201, 409, 200, 422, 422, 415]
    site.host.services[Ownership] = [broken]
    assert (await client.delete("/users/2", json={"password": CANARY})).status == 500

    shown = "\n".join([*log_lines, caplog.text, *(answer.text for answer in answers)])
    assert "request failed" in shown
    assert CANARY not in shown
    assert "argon2id" not in shown


def broken(unit: UnitOfWork) -> Ownership:
    raise RuntimeError("nobody knows what belongs to whom")
