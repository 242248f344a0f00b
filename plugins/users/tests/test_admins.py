"""Somebody who administrates is always left, whatever comes together."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import product

import pytest

from cms_host.api import UnitOfWork
from cms_host.testing import Answer, Client, MakeSite, Site, dump
from cms_users.service import ACCOUNTS_LOCK, AccountService, LastAdmin

from .conftest import MakeKey, made

Go = Callable[[Client, int], Awaitable[Answer]]
LAST = "The last active administrator can't be deleted, disabled or demoted"


async def delete(client: Client, user_id: int) -> Answer:
    return await client.delete(f"/users/{user_id}")


async def disable(client: Client, user_id: int) -> Answer:
    return await client.patch(f"/users/{user_id}", json={"active": False})


async def demote(client: Client, user_id: int) -> Answer:
    return await client.put(f"/users/{user_id}", json={"role": "subscriber"})


WAYS = (delete, disable, demote)


@pytest.mark.shows("users.last-admin")
async def test_last_active_administrator_stays_whatever_is_asked(site: Site, database_url: str) -> None:
    admin = await site.client("admin")
    await made(admin, "retired", role="admin", active=False)
    await made(admin, "editor", role="editor")
    before = dump(database_url)

    for way in WAYS:
        answer = await way(admin, 1)
        assert (answer.status, answer.error["message"]) == (409, LAST)
    assert dump(database_url) == before


@pytest.mark.parametrize("ways", [*product(WAYS, WAYS)][::2])
@pytest.mark.shows("users.last-admin")
async def test_two_administrators_that_send_each_other_away_on_two_hosts_leave_one(
    site: Site, make_site: MakeSite, make_key: MakeKey, ways: tuple[Go, Go]
) -> None:
    first = Client(site, await make_key("first"))
    second = Client(await make_site(enabled=["users"]), await make_key("second"))
    answers = await asyncio.gather(ways[0](first, 2), ways[1](second, 1))

    # Whoever comes second is the last one's adversary, or is not let in any more.
    statuses = sorted(answer.status for answer in answers)
    assert statuses[0] == 200
    assert statuses[1] in (401, 403, 409)
    left = [client for client in (first, second) if (await client.get("/users")).status == 200]
    assert len(left) == 1


@pytest.mark.shows("users.last-admin")
async def test_the_command_line_stands_before_the_same_guard(site: Site, make_key: MakeKey) -> None:
    """Commands act for nobody, so no account is their own."""
    await make_key("first")

    async def go(unit: UnitOfWork) -> None:
        await unit.get(AccountService).change(1, {"active": False})

    with pytest.raises(LastAdmin):
        async with site.host.unit().write(ACCOUNTS_LOCK) as unit:
            await go(unit)
    await make_key("second")
    async with site.host.unit().write(ACCOUNTS_LOCK) as unit:
        await go(unit)
    with pytest.raises(LastAdmin):
        async with site.host.unit().write(ACCOUNTS_LOCK) as unit:
            await unit.get(AccountService).delete(2)
