"""Who is let in by an API key, and who is not (spec, Authentication)."""

import asyncio
import hashlib
import json
from typing import Any

import pytest
from sqlalchemy import bindparam, update

from cms_host.api import Query
from cms_host.testing import Client, MakeSite, Site
from cms_users.keys import KeyService, read_expiry
from cms_users.service import ACCOUNTS_LOCK, AccountService
from cms_users.tables import api_keys

from .conftest import SQLITE_ALONE, MakeKey, named

REFUSAL = {"success": False, "error": {"code": 401, "message": "Unauthorized"}}
GOOD = "GOOD"
OTHER = "OTHER"


def filled(headers: list[tuple[str, str]], good: str, other: str) -> list[tuple[str, str]]:
    return [(name, value.replace(GOOD, good).replace(OTHER, other)) for name, value in headers]


async def ask(site: Site, headers: list[tuple[str, str]], path: str = "/users") -> Any:
    return await site.fetch("GET", f"/api/v1{path}", headers=headers)


@SQLITE_ALONE
@pytest.mark.parametrize(
    "headers",
    [
        [("X-API-Key", GOOD)],
        [("Api-Key", GOOD)],
        [("Authorization", f"Bearer {GOOD}")],
        [("authorization", f"bearer {GOOD}")],
        [("x-api-key", GOOD)],
        [("Authorization", f"BEARER {GOOD}"), ("X-API-Key", GOOD), ("Api-Key", GOOD)],
        [("X-API-Key", GOOD), ("X-API-Key", GOOD)],
        [("X-API-Key", GOOD), ("Authorization", "Basic dXNlcjpwYXNz")],
    ],
)
async def test_a_key_is_taken_from_any_of_the_three_headers(
    site: Site, make_key: MakeKey, headers: list[tuple[str, str]]
) -> None:
    answer = await ask(site, filled(headers, await make_key(), ""))

    assert (answer.status, answer.data["total"]) == (200, 1)


@SQLITE_ALONE
@pytest.mark.parametrize(
    "headers",
    [
        [],
        [("X-API-Key", "")],
        [("X-API-Key", "cms_" + "a" * 40)],
        [("X-API-Key", f"{GOOD}x")],
        [("X-API-Key", GOOD.lower())],
        [("X-API-Key", f"{GOOD},{GOOD}")],
        [("Authorization", GOOD)],
        [("Authorization", "Bearer")],
        [("Authorization", "Bearer ")],
        [("Authorization", f"Bearer  {GOOD}")],
        [("Authorization", f"Bearer{GOOD}")],
        [("Authorization", f"Basic {GOOD}")],
        [("X-Api-Token", GOOD)],
        [("Cookie", f"X-API-Key={GOOD}")],
        [("X-API-Key", "ş" * 44)],
        [("X-API-Key", f"{GOOD}\udcff")],
        [("X-API-Key", "a" * 257)],
        [("X-API-Key", "a" * 7000)],
        [("X-API-Key", GOOD), ("Api-Key", OTHER)],
        [("X-API-Key", GOOD), ("Api-Key", "")],
        [("X-API-Key", GOOD), ("X-API-Key", OTHER)],
        [("X-API-Key", GOOD), ("Authorization", f"Bearer {OTHER}")],
        [("Authorization", f"Bearer {GOOD}"), ("Authorization", f"Bearer {OTHER}")],
    ],
)  # fmt: skip
@pytest.mark.shows("auth.missing", "auth.unknown", "auth.two-keys", "errors.401")
async def test_no_key_and_no_good_key_get_the_same_refusal(
    site: Site, make_key: MakeKey, headers: list[tuple[str, str]]
) -> None:
    good, other = await make_key(), await make_key("other")
    answer = await raw_ask(site, filled(headers, good, other))

    assert answer == (401, REFUSAL)


@SQLITE_ALONE
@pytest.mark.parametrize(
    ("secret", "status"),
    [
        pytest.param("a" * 256, 200),
        pytest.param("a" * 257, 401, marks=pytest.mark.shows("auth.long")),
        pytest.param("s" * 44, 200),
        pytest.param("ş" * 44, 401, marks=pytest.mark.shows("auth.not-ascii")),
    ],
)
async def test_a_key_of_another_form_is_refused_even_where_its_hash_is_known(
    site: Site, make_key: MakeKey, secret: str, status: int
) -> None:
    """Any other key of that form would be refused for being unknown."""
    await make_key()
    store = Query(update(api_keys).values(key_hash=bindparam("digest")))
    async with site.host.db.transaction() as tx:
        await tx.execute(store, digest=hashlib.sha256(secret.encode()).hexdigest())

    assert (await raw_ask(site, [("X-API-Key", secret)]))[0] == status


async def raw_ask(site: Site, headers: list[tuple[str, str]]) -> tuple[int, Any]:
    """A request whose headers are sent as they are, byte for byte."""
    assert site.http.port
    reader, writer = await asyncio.open_connection("127.0.0.1", site.http.port)
    lines = ["GET /api/v1/users HTTP/1.1", "Host: x", "Connection: close", *(f"{k}: {v}" for k, v in headers)]
    writer.write("\r\n".join([*lines, "", ""]).encode("utf-8", "surrogateescape"))
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)


@SQLITE_ALONE
@pytest.mark.parametrize("name", ["api_key", "key", "X-API-Key", "access_token", "apikey"])
@pytest.mark.shows("auth.query")
async def test_a_key_in_the_query_string_is_not_looked_at(site: Site, make_key: MakeKey, name: str) -> None:
    key = await make_key()

    assert (await site.anonymous.get("/users", params={name: key})).json == REFUSAL
    assert (await Client(site, key).get("/users", params={name: "wrong"})).status == 200


@SQLITE_ALONE
@pytest.mark.shows("auth.everywhere", "request.401.routing")
async def test_every_path_and_method_wants_a_key(site: Site) -> None:
    for path in ("/nothing", "/users/x/y", "/health/", "/users"):
        for method in ("GET", "POST", "DELETE", "OPTIONS"):
            assert (await site.anonymous.request(method, path)).json == REFUSAL


@pytest.mark.shows("key.revoked", "auth.inactive")
async def test_revoked_key_is_refused_at_the_next_request_by_every_host(
    site: Site, make_site: MakeSite, make_key: MakeKey
) -> None:
    key = await make_key()
    hosts = [Client(site, key), Client(await make_site(enabled=["users"]), key)]
    assert [(await host.get("/users")).status for host in hosts] == [200, 200]

    async with site.host.unit().write() as unit:
        await unit.get(KeyService).revoke(1)

    assert [(await host.get("/users")).json for host in hosts] == [REFUSAL, REFUSAL]


async def test_key_of_a_disabled_account_is_refused_until_it_is_enabled(
    site: Site, make_site: MakeSite, make_key: MakeKey
) -> None:
    await make_key("root")
    client = Client(await make_site(enabled=["users"]), await make_key("ayse", "editor"))
    statuses = []
    for active in (True, False, True):
        async with site.host.unit().write(ACCOUNTS_LOCK) as unit:
            await unit.get(AccountService).change((await named(site, "ayse")).id, {"active": active})
        statuses.append((await client.get("/nothing")).status)

    assert statuses == [404, 401, 404]


@pytest.mark.shows("key.role.now")
async def test_key_has_the_role_that_its_owner_has_now(site: Site, make_key: MakeKey) -> None:
    await make_key("root")
    client = Client(site, await make_key("ayse", "editor"))
    assert (await client.get("/users")).status == 403

    async with site.host.unit().write(ACCOUNTS_LOCK) as unit:
        await unit.get(AccountService).change((await named(site, "ayse")).id, {"role": "admin"})

    assert (await client.get("/users")).status == 200


@pytest.mark.parametrize(
    ("expiry", "zone", "seconds"),
    [
        ("2026-01-15", "UTC", 12 * 3600),
        ("2026-01-15", "Europe/Istanbul", 9 * 3600),
        ("2026-01-16 00:30:00", "UTC", 12.5 * 3600),
        ("2026-01-15T14:00:00+01:00", "Europe/Istanbul", 3600),
    ],
)
@pytest.mark.shows("key.expiry", "key.expiry.day", "auth.expired")
async def test_key_is_good_through_its_expiry_and_no_longer(
    site: Site, make_key: MakeKey, expiry: str, zone: str, seconds: float
) -> None:
    client = Client(site, await make_key(expires_at=read_expiry(expiry, zone)))
    site.clock.advance(seconds - 1)
    assert (await client.get("/users")).status == 200
    site.clock.advance(1.000001)
    assert (await client.get("/users")).json == REFUSAL


async def test_recognising_a_caller_takes_one_statement(
    site: Site, make_key: MakeKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Client(site, await make_key("ayse", "subscriber"))
    await client.get("/nothing")
    statements = []
    run = site.host.db.all

    async def counted(query: Any, **values: Any) -> Any:
        statements.append(query)
        return await run(query, **values)

    monkeypatch.setattr(site.host.db, "all", counted)
    for _ in range(3):
        assert (await client.get("/nothing")).status == 404

    assert len(statements) == 3


@SQLITE_ALONE
async def test_family_that_is_switched_off_still_recognises_keys(make_site: MakeSite) -> None:
    site = await make_site(enabled=["health"])
    admin, editor = await site.client("admin"), await site.client("editor")

    assert [(await client.get("/health")).status for client in (admin, editor)] == [200, 200]
    assert [(await client.get("/users")).status for client in (admin, editor)] == [404, 403]
