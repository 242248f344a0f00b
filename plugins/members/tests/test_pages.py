"""What the pages show, to whom they answer, and what nobody can find out by them."""

import base64
import hashlib
import json
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from unicodedata import normalize

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cms_host.testing import Answer, MakeSite, Site, dump
from cms_members.texts import texts

from .conftest import AYSE, BASE, OURS, SQLITE_ALONE, accounts, confirm, linked, mails, register

pytestmark = SQLITE_ALONE


class Elements(HTMLParser):
    """The elements of a page, with their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for each, attributes in self.found if each == tag]


@pytest.mark.shows("members.silent")
async def test_registering_an_address_that_has_an_account_looks_and_costs_the_same(
    site: Site, database_url: str
) -> None:
    await confirm(site, await linked(site))
    before = {name: len(rows) for name, rows in dump(database_url).items()}
    known, unknown = await register(site), await register(site, email="fatma@example.org")
    after = {name: len(rows) - before[name] for name, rows in dump(database_url).items()}

    def shown(answer: Answer) -> tuple[object, ...]:
        headers = {
            name: value for name, value in answer.headers.items() if name.lower() not in ("date", "x-request-id")
        }
        return answer.status, headers, answer.body

    assert shown(known) == shown(unknown)
    # Each left one registration with a hash of its own; whose address is known is looked at when mails are written.
    assert {name: number for name, number in after.items() if number} == {"member_registrations": 2, "member_tries": 1}


@pytest.mark.shows("members.silent")
async def test_whose_address_has_an_account_is_told_so_by_mail(site: Site, database_url: str) -> None:
    await confirm(site, await linked(site))
    await register(site, email="AYSE@Example.ORG", name="<a href=//evil.example>Free money</a>", password="other words")
    (message,) = await mails(site)

    assert (message["To"], message["Subject"]) == (AYSE["email"], "You already have an account at example.org")
    assert ("token" in message.get_content(), "evil" in message.as_string()) == (False, False)
    assert (dump(database_url)["member_registrations"], len(await accounts(site))) == ([], 1)


@pytest.mark.shows("members.tries")
async def test_a_client_may_try_so_often_in_an_hour_whatever_the_host(
    site: Site, make_site: MakeSite, database_url: str
) -> None:
    await site.set(**{"members.tries_per_client": 3})
    hosts = [site, await make_site(enabled=["users", "members"], base_url=BASE)]
    sent = [await register(hosts[number % 2], email=f"ayse{number}@example.org") for number in range(5)]
    statuses = [each.status for each in sent]
    assert statuses == [200, 200, 200, 429, 429]
    assert len(dump(database_url)["member_registrations"]) == 3
    refused = await register(site)
    assert "Too many registrations" in refused.text
    site.clock.advance(3_600)

    assert (await register(site)).status == 200


async def test_clients_behind_a_trusted_proxy_are_told_apart(make_site: MakeSite) -> None:
    site = await make_site(
        enabled=["users", "members"], base_url=BASE, trusted_proxies=("loopback",), rate_limit_ipv6_prefix=64
    )
    await site.set(**{"members.tries_per_client": 1})

    async def status(client: str) -> int:
        return (await register(site, {"X-Forwarded-For": client})).status

    sent = ["192.0.2.1", "192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"]
    assert [await status(each) for each in sent] == [200, 429, 200, 200, 429, 200]


@pytest.mark.shows("members.tries")
async def test_an_address_gets_so_many_mails_a_day_and_nobody_sees_when_they_end(site: Site) -> None:
    answers = []
    for _ in range(5):
        answers.append(await register(site))
        await site.run_job("members.mail")
    assert {(each.status, each.body) for each in answers} == {(200, answers[0].body)}
    assert len(await mails(site)) == 3
    site.clock.advance(86_400)
    await register(site)

    assert len(await mails(site)) == 1


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "null"},
        {"Origin": "https://evil.example"},
        {"Origin": "http://example.org"},
        {"Origin": "https://example.org.evil.example"},
        {"Origin": "https://example.org", "Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "https://evil.example", "Host": "evil.example"},
    ],
)
async def test_a_form_that_is_not_from_here_does_nothing(
    site: Site, database_url: str, headers: dict[str, str]
) -> None:
    token, before = await linked(site), dump(database_url)
    for path, sent in (("register", AYSE), ("confirm", {"token": token})):
        answer = await site.fetch("POST", f"/members/{path}", data=sent, headers=headers)
        assert (answer.status, "Please use our own form" in answer.text) == (403, True)

    assert dump(database_url) == before


async def test_a_form_from_here_is_known_by_either_header(make_site: MakeSite, site: Site) -> None:
    plain = await make_site(enabled=["users", "members"])
    for at, headers in (
        (site, {"Sec-Fetch-Site": "same-origin"}),
        (site, {"Origin": BASE}),
        (plain, {"Origin": plain.url}),
        (plain, {"Sec-Fetch-Site": "same-origin"}),
    ):
        answer = await at.fetch("POST", "/members/register", data=AYSE, headers=headers)
        assert answer.status == 200, headers


async def test_the_link_is_made_of_the_configuration_and_never_of_the_request(site: Site) -> None:
    evil = {"Host": "evil.example", "X-Forwarded-Host": "evil.example", "Forwarded": "host=evil.example"}
    answer = await register(site, evil)
    (message,) = await mails(site)

    assert answer.status == 200
    assert "evil" not in answer.text + message.as_string()


async def test_pages_load_nothing_run_nothing_and_are_kept_by_nobody(site: Site) -> None:
    token = await linked(site)
    for path in ("/members/register", "/members/confirm", f"/members/confirm?token={token}"):
        page = await site.fetch("GET", path)
        style = re.search("<style>(.*?)</style>", page.text, re.DOTALL)
        assert style
        digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
        assert page.headers["Content-Security-Policy"] == (
            f"default-src 'none'; style-src 'sha256-{digest}'; form-action 'self'; frame-ancestors 'none'; "
            "base-uri 'none'"
        )
        assert (page.headers["Cache-Control"], page.headers["Referrer-Policy"]) == ("no-store", "same-origin")
        assert page.headers["X-Content-Type-Options"] == "nosniff"
        elements = Elements(page.text)
        assert {tag for tag, _ in elements.found} & {"script", "img", "link", "iframe", "base"} == set()
        assert [each for _, attributes in elements.found for each in attributes if each.startswith("on")] == []
        head = await site.fetch("HEAD", path)
        assert (head.status, head.body) == (page.status, b"")


async def test_every_field_has_its_label_and_what_is_wrong_with_it(site: Site) -> None:
    answer = await register(
        site, {"Accept-Language": "tr-TR,tr;q=0.9,en;q=0.8"}, name=" ", email="nobody", password="x"
    )
    page = Elements(answer.text)

    assert (answer.status, answer.headers["Content-Language"], page.named("html")) == (422, "tr", [{"lang": "tr"}])
    inputs = page.named("input")
    assert [each["name"] for each in inputs] == ["name", "email", "password"]
    labels = {each["for"] for each in page.named("label")}
    ids = {attributes.get("id") for _, attributes in page.found}
    for each in inputs:
        assert (each["id"] in labels, each["aria-invalid"], each["aria-describedby"] in ids) == (True, "true", True)
        assert texts("tr")["wrong"][each["name"]] in unescape(answer.text)
    assert [each.get("value") for each in inputs] == [" ", "nobody", None]


async def test_a_turkish_reader_gets_a_turkish_mail(site: Site) -> None:
    await register(site, {"Accept-Language": "tr"})
    (message,) = await mails(site)

    assert message["Subject"] == "example.org kaydınızı onaylayın"
    assert "Bağlantı 24 saat geçerlidir." in message.get_content()


@pytest.mark.parametrize(
    ("options", "status"),
    [
        ({"json": AYSE}, 415),
        ({"data": b"name=%00", "headers": {"Content-Type": "application/x-www-form-urlencoded"}}, 400),
        ({"data": b"name=%ff", "headers": {"Content-Type": "application/x-www-form-urlencoded"}}, 400),
        ({"data": "name=ş".encode(), "headers": {"Content-Type": "application/x-www-form-urlencoded"}}, 400),
        ({"data": {"name": "a" * 70_000}}, 413),
        ({"data": {f"f{number}": "" for number in range(300)}}, 400),
    ],
)
async def test_what_is_no_form_is_refused(site: Site, options: dict[str, dict[str, str]], status: int) -> None:
    headers = {**OURS, **options.pop("headers", {})}

    assert (await site.fetch("POST", "/members/register", headers=headers, **options)).status == status


def naughty() -> list[str]:
    """The big list, which the contract's tests have."""
    found = Path(__file__).parents[3] / "tests" / "contract" / "naughty_strings.json"
    listed: list[str] = json.loads(found.read_text("utf-8"))
    return [each for each in dict.fromkeys(listed) if "\0" not in each]


@pytest.mark.slow
async def test_naughty_strings_are_shown_as_they_are_or_refused(site: Site) -> None:
    await site.set(**{"members.tries_per_client": 100_000})
    plain = len(Elements((await register(site, name=" ")).text).found)
    for text in naughty():
        refused = await register(site, name=text, email=text, password="short")
        assert refused.status == 422, text
        # Whatever was sent is in two values of attributes, and adds no element; each error adds a paragraph.
        elements = Elements(refused.text)
        assert len(elements.found) <= plain + 2, text
        assert [each.get("value") for each in elements.named("input")][:2] == [_normal(text)] * 2, text
        asked = await site.fetch("GET", "/members/confirm", params={"token": text})
        assert asked.status == 404, text


@pytest.mark.slow
@given(name=st.text(max_size=30), local=st.text(min_size=1, max_size=10))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_whoever_is_accepted_gets_a_mail_and_an_account(site: Site, name: str, local: str) -> None:
    await site.set(**{"members.tries_per_client": 100_000, "members.mails_per_address": 1_000})
    email = f"{local}@example.com"
    answer = await register(site, name=name, email=email)
    if answer.status == 200:
        (message,) = await mails(site)
        assert message["To"] is not None
    else:
        assert answer.status in (400, 422), answer.text


def _normal(text: str) -> str:
    """As a form's value reads back: in NFC, its ends of lines as HTML has them."""
    return normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n")
