"""Making and revoking API keys (contract 8)."""

import hashlib
import re

import pytest

from cms_host.api import Conflict, FieldErrors, NotFound
from cms_host.testing import Client, Site, dump
from cms_users.keys import KeyService, read_expiry
from cms_users.service import ACCOUNTS_LOCK, AccountService

from .conftest import SQLITE_ALONE, MakeKey, named


@SQLITE_ALONE
@pytest.mark.shows("key.secret.form")
async def test_secret_is_a_prefix_and_forty_random_characters(make_key: MakeKey) -> None:
    secrets = {await make_key(f"user{number}", "author") for number in range(20)}

    assert len(secrets) == 20
    assert all(re.fullmatch("cms_[A-Za-z0-9]{40}", secret) for secret in secrets)
    assert len({character for secret in secrets for character in secret[4:]}) > 40


@pytest.mark.shows("key.secret.hash", "auth.made")
async def test_only_the_hash_and_the_mask_of_a_secret_are_kept(
    site: Site, make_key: MakeKey, database_url: str
) -> None:
    secret = await make_key()
    await Client(site, secret).get("/users")
    (row,) = dump(database_url)["api_keys"]

    assert hashlib.sha256(secret.encode()).hexdigest() in row
    assert f"{secret[:8]}...{secret[-4:]}" in row
    assert secret[4:] not in repr(dump(database_url))


@SQLITE_ALONE
@pytest.mark.parametrize("name", ["", "  ", "<b></b>", "two\nlines", "x" * 201, "half \ud800", "nul \0"])
async def test_key_needs_a_name_of_one_line(site: Site, make_key: MakeKey, name: str) -> None:
    await make_key()
    owner = await named(site, "ayse")
    with pytest.raises(FieldErrors) as refused:
        async with site.host.unit().write() as unit:
            await unit.get(KeyService).create(owner, name)

    assert (refused.value.status, refused.value.errors[0].field) == (422, "name")


@SQLITE_ALONE
async def test_name_of_a_key_is_plain_text(site: Site, make_key: MakeKey) -> None:
    await make_key()
    owner = await named(site, "ayse")
    async with site.host.unit().write() as unit:
        await unit.get(KeyService).create(owner, " Küçük <script>x</script> & <3 ")

    assert (await site.host.unit().get(KeyService).all())[-1].name == "Küçük x & <3"


async def test_key_that_would_be_expired_at_once_is_not_made(site: Site, make_key: MakeKey, database_url: str) -> None:
    await make_key()
    owner, before = await named(site, "ayse"), dump(database_url)
    for expires_at in (site.clock.now(), read_expiry("2026-01-14", "UTC"), read_expiry("2026-01-15 11:59:59", "UTC")):
        with pytest.raises(FieldErrors, match="expires_at"):
            async with site.host.unit().write() as unit:
                await unit.get(KeyService).create(owner, "a key", expires_at)

    assert dump(database_url) == before


@pytest.mark.parametrize("text", ["", "tomorrow", "2026-02-30", "15.01.2026", "2026-1-1", "0000-00-00"])
def test_expiry_that_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(FieldErrors) as refused:
        read_expiry(text, "UTC")

    assert (refused.value.status, refused.value.errors[0].field) == (422, "expires_at")


@pytest.mark.parametrize(("day", "hours"), [("2026-03-29", 23), ("2026-10-25", 25), ("2026-06-01", 24)])
def test_bare_expiry_lasts_through_days_on_which_clocks_change(day: str, hours: int) -> None:
    begins = read_expiry(f"{day} 00:00:00", "Europe/Berlin")

    assert read_expiry(day, "Europe/Berlin") - begins == hours * 3_600_000_000 - 1


async def test_disabled_account_gets_no_key(site: Site, make_key: MakeKey) -> None:
    await make_key("root")
    await make_key("ayse", "editor")
    async with site.host.unit().write(ACCOUNTS_LOCK) as unit:
        await unit.get(AccountService).change((await named(site, "ayse")).id, {"active": False})
    owner = await named(site, "ayse")
    with pytest.raises(Conflict, match="ayse is disabled"):
        async with site.host.unit().write() as unit:
            await unit.get(KeyService).create(owner, "a key")


async def test_revoking_again_keeps_the_first_time(site: Site, make_key: MakeKey) -> None:
    await make_key()
    first = site.clock.now()
    for _ in range(2):
        async with site.host.unit().write() as unit:
            key = await unit.get(KeyService).revoke(1)
        site.clock.advance(60)

    assert (key.active, key.revoked_at) == (False, first)


async def test_revoking_what_is_no_key_is_told(site: Site) -> None:
    with pytest.raises(NotFound, match="9"):
        async with site.host.unit().write() as unit:
            await unit.get(KeyService).revoke(9)


async def test_revoking_one_key_leaves_the_owners_other_keys(site: Site, make_key: MakeKey) -> None:
    first = await make_key()
    owner = await named(site, "ayse")
    async with site.host.unit().write() as unit:
        second = await unit.get(KeyService).create(owner, "another key")
        await unit.get(KeyService).revoke(1)

    assert (await Client(site, first).get("/users")).status == 401
    assert (await Client(site, second).get("/users")).status == 200
