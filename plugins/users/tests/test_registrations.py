"""Accounts that people make themselves (`Registrations`)."""

import asyncio
import re

import pytest

from cms_host.api import FieldErrors
from cms_host.testing import Site
from cms_users.api import Applicant, Registered, Registrations

from .conftest import SQLITE_ALONE, named

SOMEBODY = Applicant("Ayşe Yılmaz", "ayse@example.org")


async def register(site: Site, applicant: Applicant = SOMEBODY) -> Registered | None:
    async with site.host.unit().write() as unit:
        return await unit.get(Registrations).register(applicant, "a hash")


async def test_who_registers_is_a_subscriber_with_a_verified_address(site: Site) -> None:
    made = await register(site)

    assert made is not None
    assert re.fullmatch("ayse-yilmaz-[0-9a-f]{6}", made.username)
    user = await named(site, made.username)
    assert (user.id, user.name, user.email) == (made.id, "Ayşe Yılmaz", "ayse@example.org")
    assert (user.role, user.active, user.email_verified) == ("subscriber", True, True)


async def test_of_many_who_register_one_address_at_once_one_gets_it(site: Site) -> None:
    made = await asyncio.gather(*(register(site) for _ in range(6)))

    assert sum(each is not None for each in made) == 1
    assert await site.host.unit().get(Registrations).is_registered("ayse@example.org")
    assert not await site.host.unit().get(Registrations).is_registered("fatma@example.org")


@SQLITE_ALONE
@pytest.mark.parametrize(("name", "begins"), [("山", "shan-"), ("❤", "member-"), ("a" * 200, f"{'a' * 40}-")])
async def test_any_name_gives_a_username(site: Site, name: str, begins: str) -> None:
    made = await register(site, Applicant(name, "ayse@example.org"))

    assert made is not None
    assert made.username.startswith(begins)


@SQLITE_ALONE
async def test_all_that_is_wrong_is_named_at_once(site: Site) -> None:
    registrations = site.host.unit().get(Registrations)
    with pytest.raises(FieldErrors) as caught:
        registrations.applicant("<b></b>", "ayse@example.org\nBcc: all@example.org", "short")

    assert caught.value.status == 422
    assert [each.field for each in caught.value.errors] == ["name", "email", "password"]
    assert registrations.applicant(" Ayşe Yılmaz ", "Ayse@Example.ORG", "long enough") == SOMEBODY
