"""Accounts: what they may be called, and that somebody is always left to administrate."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from argon2 import PasswordHasher

from cms_host.api import Conflict, Enrolment, FieldErrors, NotFound, Role, UnitOfWork
from cms_host.testing import MakeSite, Site, dump
from cms_users.api import Accounts
from cms_users.identity import fits
from cms_users.passwords import hash_password
from cms_users.service import ACCOUNTS_LOCK, AccountService, LastAdmin
from cms_users.store import User

from .conftest import SQLITE_ALONE, named


async def create(site: Site, username: str, email: str = "", role: Role = Role.ADMIN, name: str = "") -> User:
    async with site.host.unit().write() as unit:
        return await unit.get(AccountService).create(username, email or f"{username}@example.org", role, name)


@pytest.mark.parametrize("username", ["ab", "a.b-c_d", "2fast", "a" * 64])
def test_username_may_be(username: str) -> None:
    assert fits("username", username)


@pytest.mark.parametrize(
    "username",
    ["", "a", "a" * 65, "Ayse", "ayşe", ".ayse", "-a", "ay se", "a@b", "a/b", "ab\n", "ab\0", "\u212aate", "a\ud800"],
)
def test_username_may_not_be(username: str) -> None:
    assert not fits("username", username)


@pytest.mark.parametrize("email", ["a@b", "ayse.yilmaz+cms@mail.example.org", "ayşe@örnek.org"])
def test_email_may_be(email: str) -> None:
    assert fits("email", email)


@pytest.mark.parametrize(
    "email",
    ["", "ayse", "ayse@", "@example.org", "a@b@c", "a b@c.org", "a@c.org\nBcc: x@y.org", "<a@c.org>", "a@c,b", "a@\0",
     "a" * 65 + "@c.org", "a@" + "c" * 190, "a@\udcff.org"],
)  # fmt: skip
def test_email_may_not_be(email: str) -> None:
    assert not fits("email", email)


@SQLITE_ALONE
async def test_all_that_is_wrong_is_told_at_once(site: Site) -> None:
    with pytest.raises(FieldErrors) as refused:
        await create(site, "A", "a", name="x" * 201)

    assert refused.value.status == 422
    assert [error.field for error in refused.value.errors] == ["username", "email", "name"]


@SQLITE_ALONE
async def test_name_is_plain_text_and_the_username_by_default(site: Site) -> None:
    assert (await create(site, "ayse", name=" <b>Ayşe</b> O'Hara & <3 ")).name == "Ayşe O'Hara & <3"
    assert (await create(site, "mehmet", name="<i></i>")).name == "mehmet"


@pytest.mark.parametrize(
    ("username", "email"),
    [("ayse", "other@example.org"), ("other", "ayse@example.org"), ("other", " AYSE@Example.org")],
)
async def test_name_or_address_that_is_taken_is_a_conflict(
    site: Site, database_url: str, username: str, email: str
) -> None:
    await create(site, "ayse")
    before = dump(database_url)
    with pytest.raises(Conflict) as refused:
        await create(site, username, email)

    assert refused.value.status == 409
    assert dump(database_url) == before


async def test_race_for_one_name_has_one_winner(site: Site) -> None:
    results = await asyncio.gather(
        *(create(site, "ayse", f"ayse{number}@example.org") for number in range(6)), return_exceptions=True
    )

    assert sorted(type(result).__name__ for result in results) == ["Taken"] * 5 + ["User"]


async def test_neighbours_may_ask_whether_an_account_exists(site: Site) -> None:
    user, accounts = await create(site, "ayse"), site.host.unit().get(Accounts)

    assert await accounts.exists(user.id)
    assert not await accounts.exists(user.id + 1)


async def test_enrolment_knows_whether_there_is_anybody(site: Site) -> None:
    assert not await site.host.unit().get(Enrolment).has_users()
    await create(site, "ayse")
    assert await site.host.unit().get(Enrolment).has_users()


Change = Callable[[UnitOfWork, User], Awaitable[None]]


async def disable(unit: UnitOfWork, user: User) -> None:
    await unit.get(AccountService).change(user.id, {"active": False})


async def demote(unit: UnitOfWork, user: User) -> None:
    await unit.get(AccountService).change(user.id, {"role": "editor"})


async def take_away(site: Site, username: str, change: Change) -> None:
    async with site.host.unit().write(ACCOUNTS_LOCK) as unit:
        await change(unit, await unit.get(AccountService).named(username))


@pytest.mark.parametrize("change", [disable, demote])
async def test_last_active_administrator_stays(site: Site, database_url: str, change: Change) -> None:
    await create(site, "root")
    await create(site, "retired")
    await take_away(site, "retired", disable)
    await create(site, "editor", role=Role.EDITOR)
    before = dump(database_url)
    with pytest.raises(LastAdmin) as refused:
        await take_away(site, "root", change)

    assert refused.value.status == 409
    assert dump(database_url) == before


@pytest.mark.parametrize("change", [disable, demote])
async def test_administrator_may_go_while_another_one_stays(site: Site, change: Change) -> None:
    await create(site, "root")
    await create(site, "second")
    await take_away(site, "root", change)

    root = await named(site, "root")
    assert (root.active, root.role) != (True, "admin")


async def test_others_may_go_where_nobody_administrates(site: Site) -> None:
    await create(site, "editor", role=Role.EDITOR)
    await take_away(site, "editor", disable)

    assert not (await named(site, "editor")).active


async def test_two_administrators_that_go_at_once_on_two_hosts_leave_one(site: Site, make_site: MakeSite) -> None:
    await create(site, "root")
    await create(site, "second")
    other = await make_site(enabled=["users"])
    results = await asyncio.gather(
        take_away(site, "root", disable), take_away(other, "second", demote), return_exceptions=True
    )

    assert sorted(type(result).__name__ for result in results) == ["LastAdmin", "NoneType"]


@pytest.mark.parametrize("username", ["nobody", "", "\udcff", "nul\0", "x" * 100_000])
async def test_unknown_username_is_not_found(site: Site, username: str) -> None:
    with pytest.raises(NotFound, match="There is no user named"):
        await named(site, username)


async def test_password_is_kept_as_argon2id_of_its_compatibility_form() -> None:
    kept = await hash_password("ｐassword ﬁne")

    assert kept.startswith("$argon2id$")
    assert PasswordHasher().verify(kept, "password fine")


@pytest.mark.parametrize("password", ["", "seven..", "x" * 1025, "long enough \udcff"])
async def test_password_too_short_or_too_long_is_refused(password: str) -> None:
    with pytest.raises(FieldErrors) as refused:
        await hash_password(password)

    assert (refused.value.status, refused.value.errors[0].field) == (422, "password")
    assert password not in str(refused.value) or not password
