"""From the form to an account: every step, and what it leaves undone."""

import asyncio
import json

import pytest

from cms_host.testing import MakeSite, Site, dump

from .conftest import AYSE, BASE, SQLITE_ALONE, accounts, confirm, linked, mails, read, register, token_in


def events(url: str) -> list[dict[str, object]]:
    """What was emitted."""
    told = [json.loads(next(each for each in row if isinstance(each, bytes))) for row in dump(url)["events"]]
    return [{"event": each["event"], **each["data"]} for each in told]


@pytest.mark.shows("members.page", "members.confirm")
async def test_who_opens_the_link_and_confirms_is_a_subscriber(site: Site, database_url: str) -> None:
    sent = await register(site)
    assert (sent.status, "Look into your mailbox" in sent.text) == (200, True)
    assert (await accounts(site), events(database_url)) == ([], [])

    (message,) = await mails(site)
    assert (message["To"], message["From"]) == ("ayse@example.org", "cms@example.org")
    token = token_in(message)
    page = await site.fetch("GET", f"/members/confirm?token={token}")
    assert page.status == 200
    assert ("Ayşe Yılmaz" in page.text, "ayse@example.org" in page.text) == (True, True)
    assert (await accounts(site), events(database_url)) == ([], [])

    done = await confirm(site, token)
    (made,) = await accounts(site)
    assert (done.status, made["username"] in done.text) == (200, True)
    assert {name: made[name] for name in ("name", "email", "role", "active", "email_verified")} == {
        "name": "Ayşe Yılmaz", "email": "ayse@example.org", "role": "subscriber", "active": True,
        "email_verified": True,
    }  # fmt: skip
    assert events(database_url) == [
        {"event": "member_registered", "id": made["id"], "name": "Ayşe Yılmaz", "email": "ayse@example.org"}
    ]


@SQLITE_ALONE
@pytest.mark.shows("members.page")
async def test_the_password_that_was_chosen_is_the_account_s(site: Site, database_url: str) -> None:
    from argon2 import PasswordHasher

    await confirm(site, await linked(site))
    ((kept,),) = [[each for each in row if str(each).startswith("$argon2id$")] for row in dump(database_url)["users"]]

    assert PasswordHasher().verify(kept, AYSE["password"])


@pytest.mark.shows("members.once")
async def test_a_link_is_good_once(site: Site, database_url: str) -> None:
    token = await linked(site)
    first, second = await confirm(site, token), await confirm(site, token)

    assert (first.status, second.status) == (200, 404)
    assert (await site.fetch("GET", f"/members/confirm?token={token}")).status == 404
    assert (len(await accounts(site)), len(events(database_url))) == (1, 1)
    assert dump(database_url)["member_registrations"] == []


@pytest.mark.shows("members.once")
async def test_two_hosts_that_confirm_one_link_at_once_make_one_account(
    site: Site, make_site: MakeSite, database_url: str
) -> None:
    other = await make_site(enabled=["users", "members"], base_url=BASE)
    token = await linked(site)
    answers = await asyncio.gather(*(confirm(each, token) for _ in range(4) for each in (site, other)))

    assert sorted(each.status for each in answers) == [200, *[404] * 7]
    assert (len(await accounts(site)), len(events(database_url))) == (1, 1)


@pytest.mark.shows("members.link")
async def test_a_link_lives_for_24_hours(site: Site) -> None:
    token = await linked(site)
    site.clock.advance(86_400 - 1)
    assert (await site.fetch("GET", f"/members/confirm?token={token}")).status == 200
    site.clock.advance(1)

    assert (await site.fetch("GET", f"/members/confirm?token={token}")).status == 404
    assert (await confirm(site, token)).status == 404
    assert await accounts(site) == []


async def test_registering_again_replaces_the_link(site: Site) -> None:
    first, second = await linked(site), await linked(site, name="Ayşe")

    assert (await confirm(site, first)).status == 404
    assert (await confirm(site, second)).status == 200
    assert [each["name"] for each in await accounts(site)] == ["Ayşe"]


async def test_an_address_that_got_an_account_meanwhile_keeps_that_one(site: Site, database_url: str) -> None:
    token = await linked(site)
    admin = await site.client("admin")
    await admin.post("/users", json={"username": "ayse", "email": AYSE["email"], "role": "editor"})

    assert (await confirm(site, token)).status == 404
    assert [each["role"] for each in await accounts(site)] == ["editor"]
    assert events(database_url) == []


@SQLITE_ALONE
@pytest.mark.parametrize(
    "token", ["", "short", "ş" * 43, "a" * 43, "a" * 5_000], ids=["none", "short", "letters", "unknown", "long"]
)
async def test_what_is_no_link_is_not_found(site: Site, token: str) -> None:
    page = await site.fetch("GET", "/members/confirm", params={"token": token})

    assert (page.status, "This link is not valid" in page.text) == (404, True)
    assert (await confirm(site, token)).status == 404


@SQLITE_ALONE
async def test_neither_link_nor_password_is_stored_or_logged(
    site: Site, database_url: str, log_lines: list[str]
) -> None:
    token = await linked(site)
    before = dump(database_url)
    await site.fetch("GET", f"/members/confirm?token={token}")
    await confirm(site, token)

    for kept in (before, dump(database_url), log_lines):
        assert (token in repr(kept), AYSE["password"] in repr(kept)) == (False, False)


@SQLITE_ALONE
async def test_old_registrations_and_tries_are_deleted(site: Site, database_url: str) -> None:
    await linked(site)
    await site.run_job("members.forget")
    assert (len(dump(database_url)["member_registrations"]), len(dump(database_url)["member_tries"])) == (1, 2)
    site.clock.advance(86_400)
    await site.run_job("members.forget")

    assert (dump(database_url)["member_registrations"], dump(database_url)["member_tries"]) == ([], [])


@SQLITE_ALONE
async def test_switched_off_the_pages_are_gone_and_accounts_stay(make_site: MakeSite, site: Site) -> None:
    await confirm(site, await linked(site))
    off = await make_site(enabled=["users"], base_url=BASE)
    hidden = await make_site(disabled=["members"], base_url=BASE)

    for each in (off, hidden):
        for path in ("/members/register", "/members/confirm"):
            assert [(await each.fetch(method, path)).status for method in ("GET", "POST")] == [404, 404]
    assert [each["name"] for each in await accounts(site)] == ["Ayşe Yılmaz"]
    assert "member_registered" in hidden.host.event_kinds


@SQLITE_ALONE
@pytest.mark.shows("members.files")
async def test_mails_are_files_that_only_their_owner_reads(site: Site) -> None:
    await register(site)
    await site.run_job("members.mail")
    folder = site.host.data_dir / "mail"
    (file,) = folder.iterdir()

    assert (oct(folder.stat().st_mode)[-3:], oct(file.stat().st_mode)[-3:], file.suffix) == ("700", "600", ".eml")


@SQLITE_ALONE
@pytest.mark.parametrize(
    ("language", "words"), [("en", "somebody, hopefully you, registered"), ("tr", "Bağlantı 24 saat geçerlidir.")]
)
async def test_files_hold_the_link_and_the_words_as_they_read(site: Site, language: str, words: str) -> None:
    await register(site, {"Accept-Language": language})
    await site.run_job("members.mail")
    (file,) = (site.host.data_dir / "mail").iterdir()
    content = file.read_bytes().decode("utf-8")

    (line,) = [each for each in content.split("\n") if "token=" in each]
    assert line == f"{BASE}/members/confirm?token={token_in(read(file))}"
    assert words in content
    assert read(file)["Content-Language"] == language


@SQLITE_ALONE
@pytest.mark.shows("request.open.members")
async def test_the_pages_need_no_key_and_count_for_no_limit(make_site: MakeSite) -> None:
    site = await make_site(enabled=["users", "members"], rate_limit=1)

    assert [(await site.fetch("GET", "/members/register")).status for _ in range(3)] == [200] * 3
    assert (await site.anonymous.get("/users")).status == 401
    assert (await site.anonymous.get("/users")).status == 429
    assert (await site.fetch("GET", "/members/register")).status == 200
