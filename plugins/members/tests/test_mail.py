"""Mails go out by SMTP: to a server that works, is down, refuses, hangs, or is not who it says."""

import asyncio
import ssl
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from cms_host.api import HealthCheck, MailServer
from cms_host.testing import MakeSite, Site, dump
from cms_members.carriers import MailServerCarrier
from cms_members.mailing import DELAYS, Mailing

from .conftest import AYSE, BASE, SQLITE_ALONE, accounts, confirm, register, token_in

SENDER = "site@example.org"


@dataclass
class Postbox:
    """What a mail server does with mails: keeps them, or answers what it is told to."""

    port: int = 0
    #: In place of keeping mails, by the name of the command.
    refusals: dict[str, str] = field(default_factory=dict)
    kept: list[Envelope] = field(default_factory=list)
    signed_in: list[Any] = field(default_factory=list)

    async def handle_RCPT(  # noqa: N802 - the name is aiosmtpd's.
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        envelope.rcpt_tos.append(address)
        return self.refusals.get("RCPT", "250 OK")

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - as above.
        if "DATA" not in self.refusals:
            self.kept.append(envelope)
        return self.refusals.get("DATA", "250 OK")

    def sign_in(self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: object) -> AuthResult:
        assert isinstance(data, LoginPassword)
        self.signed_in.append((data.login, data.password))
        return AuthResult(success="AUTH" not in self.refusals)

    def message(self) -> Any:
        """The only mail that came. No property: aiosmtpd looks at all attributes of this object beforehand."""
        (envelope,) = self.kept
        assert isinstance(envelope.content, bytes)
        return message_from_bytes(envelope.content, policy=default)

    @asynccontextmanager
    async def open(self, **options: Any) -> AsyncIterator[None]:
        """The server answers for as long as the block lasts, on the same port each time."""
        loop = asyncio.get_running_loop()
        server = await loop.create_server(
            lambda: SMTP(self, loop=loop, hostname="localhost", enable_SMTPUTF8=True, **options), "127.0.0.1", self.port
        )
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield
        finally:
            server.close()
            await server.wait_closed()


Mailed = Callable[..., Awaitable[Site]]


@pytest.fixture
async def postbox() -> Postbox:
    box = Postbox()
    async with box.open():
        # The port is known, and nobody listens to it any more.
        pass
    return box


@pytest.fixture
async def mailed(make_site: MakeSite, postbox: Postbox) -> Mailed:
    """Makes a site that mails by the postbox's port."""

    async def make(**server: Any) -> Site:
        mail = MailServer("127.0.0.1", postbox.port, security="none", sender=SENDER)
        return await make_site(enabled=["users", "members"], base_url=BASE, mail=mail)

    return make


def check(site: Site) -> HealthCheck:
    (found,) = [each for each in site.host.health_checks if each.name == "mail"]
    return found


def waiting(url: str) -> int:
    """Registrations that are kept."""
    return len(dump(url)["member_registrations"])


@pytest.mark.shows("members.smtp")
async def test_a_mail_survives_a_server_that_is_down(mailed: Mailed, postbox: Postbox) -> None:
    site = await mailed()
    await register(site)
    await site.run_job("members.mail")
    site.clock.advance(DELAYS[0] - 1)
    async with postbox.open():
        await site.run_job("members.mail")
        assert postbox.kept == []
        site.clock.advance(1)
        await site.run_job("members.mail")
        await site.run_job("members.mail")

    assert (postbox.message()["To"], postbox.message()["From"]) == (AYSE["email"], SENDER)
    assert (postbox.kept[0].mail_from, postbox.kept[0].rcpt_tos) == (SENDER, [AYSE["email"]])
    assert (await confirm(site, token_in(postbox.message()))).status == 200
    assert [each["email"] for each in await accounts(site)] == [AYSE["email"]]


@SQLITE_ALONE
@pytest.mark.parametrize("refusals", [{"RCPT": "451 Greylisted"}, {"DATA": "554 Looks like spam"}])
async def test_what_a_server_does_not_take_now_is_tried_again(
    mailed: Mailed, postbox: Postbox, refusals: dict[str, str], log_lines: list[str]
) -> None:
    site, postbox.refusals = await mailed(), refusals
    await register(site)
    async with postbox.open():
        await site.run_job("members.mail")
        postbox.refusals = {}
        site.clock.advance(DELAYS[0])
        await site.run_job("members.mail")

    assert postbox.message()["To"] == AYSE["email"]
    assert any("tried again later" in line for line in log_lines)


@SQLITE_ALONE
async def test_a_recipient_that_nobody_knows_is_given_up(
    mailed: Mailed, postbox: Postbox, database_url: str, log_lines: list[str]
) -> None:
    site, postbox.refusals = await mailed(), {"RCPT": "550 No such user ayse@example.org"}
    await register(site)
    async with postbox.open():
        await site.run_job("members.mail")

    assert waiting(database_url) == 0
    ours = [line for line in log_lines if '"logger":"cms_' in line]
    assert any("mail given up" in line for line in ours)
    assert not any(AYSE["email"] in line for line in ours)


@SQLITE_ALONE
async def test_a_server_that_hangs_holds_up_nothing(mailed: Mailed, postbox: Postbox) -> None:
    site = await mailed()
    await register(site)
    silent = await asyncio.get_running_loop().create_server(asyncio.Protocol, "127.0.0.1", 0)
    port = silent.sockets[0].getsockname()[1]
    carrier = MailServerCarrier(MailServer("127.0.0.1", port, security="none", sender=SENDER), patience=0.1)
    await Mailing(carrier).send_due(site.host.unit())
    silent.close()
    site.clock.advance(DELAYS[0])
    async with postbox.open():
        await site.run_job("members.mail")

    assert postbox.message()["To"] == AYSE["email"]


@SQLITE_ALONE
async def test_a_mail_is_given_up_after_a_day_of_failures_and_health_says_that_it_waits(
    mailed: Mailed, database_url: str
) -> None:
    site = await mailed()
    await register(site)
    assert await check(site).run(site.host.unit()) == "1 mails wait"
    for delay in DELAYS:
        await site.run_job("members.mail")
        site.clock.advance(delay)
    assert waiting(database_url) == 1
    with pytest.raises(RuntimeError, match="1 mails wait, the oldest for"):
        await check(site).run(site.host.unit())
    await site.run_job("members.mail")

    assert waiting(database_url) == 0
    assert 86_400 < sum(DELAYS) < 90_000


async def test_a_process_that_dies_while_it_sends_leaves_the_mail_to_another(site: Site, database_url: str) -> None:
    class Dying:
        async def carry(self, message: object, to: str) -> None:
            raise asyncio.CancelledError

    await register(site)
    with pytest.raises(asyncio.CancelledError):
        await Mailing(Dying()).send_due(site.host.unit())
    await site.run_job("members.mail")
    assert not (site.host.data_dir / "mail").exists()
    site.clock.advance(120)
    await site.run_job("members.mail")

    assert len(list((site.host.data_dir / "mail").glob("*.eml"))) == 1


async def test_who_registers_again_while_the_mail_goes_out_gets_another_one(site: Site) -> None:
    carried: list[EmailMessage] = []

    class Meanwhile:
        async def carry(self, message: EmailMessage, to: str) -> None:
            carried.append(message)
            if len(carried) == 1:
                await register(site, name="Fatma")

    await register(site)
    await Mailing(Meanwhile()).send_due(site.host.unit())
    first, second = map(token_in, carried)

    assert [(await confirm(site, token)).status for token in (first, second)] == [404, 200]
    assert [each["name"] for each in await accounts(site)] == ["Fatma"]


async def test_of_hosts_that_send_at_once_one_sends(site: Site, make_site: MakeSite) -> None:
    other = await make_site(enabled=["users", "members"], base_url=BASE)
    for number in range(4):
        await register(site, email=f"ayse{number}@example.org")
    await asyncio.gather(*(each.run_job("members.mail") for each in (site, other, site, other)))

    assert len(list((site.host.data_dir / "mail").glob("*.eml"))) == 4


@SQLITE_ALONE
async def test_an_address_beyond_ascii_reaches_its_server(mailed: Mailed, postbox: Postbox) -> None:
    site = await mailed()
    await register(site, email="ayşe@örnek.example")
    async with postbox.open():
        await site.run_job("members.mail")

    assert (postbox.kept[0].rcpt_tos, postbox.message()["To"]) == (["ayşe@örnek.example"], "ayşe@örnek.example")


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A key and a certificate of `localhost` that nobody has signed but itself."""
    file = tmp_path / "localhost.pem"
    wanted = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2"]
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *wanted, "-keyout", file, "-out", f"{file}.crt"]
    subprocess.run(made, check=True, capture_output=True)
    file.write_text(file.read_text() + Path(f"{file}.crt").read_text())
    return file


@pytest.mark.parametrize(("trusted", "arrives"), [(True, 1), (False, 0)])
@SQLITE_ALONE
async def test_password_and_mail_go_only_to_a_server_that_is_who_it_says(
    site: Site, postbox: Postbox, certificate: Path, monkeypatch: pytest.MonkeyPatch, trusted: bool, arrives: int
) -> None:
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    await register(site)
    carrier = MailServerCarrier(MailServer("localhost", postbox.port, "site", "open sesame", "starttls", SENDER))
    options = {"tls_context": context, "require_starttls": True, "authenticator": postbox.sign_in}
    async with postbox.open(**options, auth_require_tls=True):
        await Mailing(carrier).send_due(site.host.unit())

    assert (len(postbox.kept), postbox.signed_in) == (arrives, [(b"site", b"open sesame")] * arrives)


@SQLITE_ALONE
async def test_a_server_that_offers_no_encryption_gets_neither_password_nor_mail(site: Site, postbox: Postbox) -> None:
    await register(site)
    carrier = MailServerCarrier(MailServer("127.0.0.1", postbox.port, "site", "open sesame", "starttls", SENDER))
    async with postbox.open(authenticator=postbox.sign_in, auth_require_tls=False):
        await Mailing(carrier).send_due(site.host.unit())

    assert (postbox.kept, postbox.signed_in) == ([], [])
