"""Mails name the address that they are for, and no other, whatever it is made of."""

from email import message_from_string
from email.policy import default

import pytest
from aiosmtplib.email import parse_address
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cms_host.api import FieldErrors
from cms_host.testing import Site
from cms_members.letters import is_mailable, letter
from cms_users.api import Registrations

from .conftest import SQLITE_ALONE

PARTS = st.one_of(st.text(min_size=1, max_size=12), st.sampled_from(["=?utf-8?q?evil?=", "=?utf-8?b?Zm9v?=", "a..b"]))


@pytest.mark.parametrize(
    ("address", "is_one"),
    [
        ("ayse@example.org", True), ("ayse+list@mail.example.org", True), ("o'hara@example.org", True),
        ("ayşe@örnek.example", True), ("=?utf-8?b?Zm9v?=@example.org", False), ("ayse@=?utf-8?q?evil?=", False),
        ("=?utf-8?q?x=0d=0aBcc=3a_evil=40example.com=0d=0a?=@example.org", False),
    ],
)  # fmt: skip
def test_an_address_that_would_be_read_as_another_is_none(address: str, is_one: bool) -> None:
    assert is_mailable(address) == is_one


@SQLITE_ALONE
@given(local=PARTS, domain=PARTS)
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_what_is_written_to_an_address_is_for_that_address(site: Site, local: str, domain: str) -> None:
    try:
        sent = f"{local}@{domain}"
        address = site.host.unit().get(Registrations).applicant("Ayşe", sent, "correct horse").email
    except FieldErrors:
        return
    if is_mailable(address):
        written = bytes(letter(site.host, "link", "tr", address, "https://example.org/x"))
        read = message_from_string(written.decode(), policy=default)
        assert [each.addr_spec for each in read["To"].addresses] == [address]
        assert parse_address(address) == address
        assert set(read.keys()) == set(letter(site.host, "known", "en", "ayse@example.org").keys())
