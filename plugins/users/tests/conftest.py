"""Sites on which accounts and keys are all there is."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from cms_host.api import Role
from cms_host.testing import Client, MakeSite, Site
from cms_users.keys import KeyService
from cms_users.service import AccountService
from cms_users.store import User

MakeKey = Callable[..., Awaitable[str]]
#: For what no database has a part in.
SQLITE_ALONE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
async def site(make_site: MakeSite) -> Site:
    return await make_site(enabled=["users"])


@pytest.fixture
def make_key(site: Site) -> MakeKey:
    """Makes an account with one key and gives the secret: `await make_key("ayse", "editor", expires_at=...)`."""

    async def make(username: str = "ayse", role: str = "admin", expires_at: int | None = None) -> str:
        async with site.host.unit().write() as unit:
            user = await unit.get(AccountService).create(username, f"{username}@example.org", Role.named(role))
            return await unit.get(KeyService).create(user, f"{username}'s key", expires_at)

    return make


async def named(site: Site, username: str) -> User:
    return await site.host.unit().get(AccountService).named(username)


async def made(client: Client, username: str = "ayse", **fields: Any) -> dict[str, Any]:
    """The record of a new account."""
    answer = await client.post("/users", json={"username": username, "email": f"{username}@example.org", **fields})
    assert answer.status == 201, answer.text
    record: dict[str, Any] = answer.data
    return record


class Shelf:
    """Keeps numbers of things that belong to accounts, and tells them as `Ownership` wants it."""

    def __init__(self, name: str, **owned: int) -> None:
        self.name = name
        #: By the ids, written as in `u2=3`: three things belong to the account 2.
        self.owned = {int(each[1:]): number for each, number in owned.items()}

    async def count(self, user_id: int) -> int:
        return self.owned.get(user_id, 0)

    async def reassign(self, user_id: int, to: int) -> None:
        self.owned[to] = self.owned.get(to, 0) + self.owned.pop(user_id)
