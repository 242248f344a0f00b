"""Sites on which accounts and keys are all there is."""

from collections.abc import Awaitable, Callable

import pytest

from cms_host.api import Role
from cms_host.testing import MakeSite, Site
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
