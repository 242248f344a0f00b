"""Accounts in whose names an operator has something done."""

import pytest

from cms_host.api import Principal, Role
from cms_host.testing import Site
from cms_users.api import Actors
from cms_users.service import ACCOUNTS_LOCK, AccountService

from .conftest import MakeKey, named


async def called(site: Site, text: str) -> Principal | None:
    return await site.host.unit().get(Actors).called(text)


async def change(site: Site, username: str, **changes: object) -> None:
    async with site.host.unit().write(ACCOUNTS_LOCK) as unit:
        await unit.get(AccountService).change((await named(site, username)).id, changes)


@pytest.mark.parametrize("text", ["ayse", "AYSE", " ayse\n", "ayse@example.org", "Ayse@Example.ORG"])
async def test_an_account_is_called_by_its_name_or_its_address(site: Site, make_key: MakeKey, text: str) -> None:
    await make_key("ayse", "author")
    found = await called(site, text)

    assert found == Principal(1, "ayse", "ayse", Role.AUTHOR, "operator", "")


async def test_nobody_is_called_what_no_account_can_be_and_disabled_ones_do_not_answer(
    site: Site, make_key: MakeKey
) -> None:
    await make_key("root")
    await make_key("ayse", "author")
    for text in ("", "mehmet", "Ayşe Yılmaz", "ayse@", "a\0b", "x" * 500, "\ud800@example.org", "%"):
        assert await called(site, text) is None

    await change(site, "ayse", active=False)
    assert await called(site, "ayse") is None
    assert await called(site, "ayse@example.org") is None


async def test_the_only_administrator_is_active_and_the_only_one(site: Site, make_key: MakeKey) -> None:
    actors = site.host.unit().get(Actors)
    assert await actors.only_administrator() is None
    await make_key("ayse", "editor")
    await make_key("root")
    found = await actors.only_administrator()
    assert found is not None
    assert (found.username, found.role) == ("root", Role.ADMIN)

    await make_key("other")
    assert await actors.only_administrator() is None
    await change(site, "other", active=False)
    assert await actors.only_administrator() == found
