"""What an account's key is told about itself."""

from importlib.metadata import version

import pytest

from cms_host.api import Role
from cms_host.testing import Client, MakeSite, Site
from cms_users.keys import KeyService, read_expiry
from cms_users.service import AccountService


@pytest.fixture
async def site(make_site: MakeSite) -> Site:
    return await make_site(enabled=["users", "health"])


async def test_health_tells_the_site_and_the_key(site: Site) -> None:
    async with site.host.unit().write() as unit:
        user = await unit.get(AccountService).create("ayse", "ayse@example.org", Role.EDITOR)
        key = await unit.get(KeyService).create(user, "laptop", read_expiry("2026-02-01", "UTC"))
    site.clock.advance(61)
    answer = await Client(site, key).get("/health")

    assert answer.status == 200
    assert answer.data == {
        "status": "ok",
        "version": version("cms-host"),
        "time": "2026-01-15 12:01:01",
        "key": {"name": "laptop", "owner": "ayse", "role": "editor", "expires_at": "2026-02-01 23:59:59"},
        "checks": {name: {"status": "ok"} for name in ("database", "mail", "media_store", "outbox", "scheduler")},
    }
