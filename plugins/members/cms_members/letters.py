"""The two mails: a link for who may have an account, a word for who has one already."""

from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP, SMTPUTF8
from email.utils import format_datetime, make_msgid
from typing import Literal

from cms_host.api import Host
from cms_members.addresses import name_of
from cms_members.texts import texts


def is_mailable(address: str) -> bool:
    """Whether a mail's header names just this address, however it is read: encoded words in it would name another."""
    try:
        read = [each.addr_spec for each in SMTPUTF8.header_factory("To", address).addresses]
    except Exception:  # noqa: BLE001 - the parser of the standard library stumbles in many ways over what is no address.
        return False
    return read == [address]


def letter(host: Host, kind: Literal["link", "known"], language: str, to: str, link: str = "") -> EmailMessage:
    """A mail, as a whole. Nothing that whoever registered wrote is in it, but for the address that it goes to."""
    site = name_of(host)
    words = texts(language)["mail"][kind]
    message = EmailMessage(policy=SMTP if to.isascii() else SMTPUTF8)
    message["From"] = host.config.mail.sender or f"cms@{site}"
    message["To"] = to
    message["Subject"] = words["subject"].format(site=site)
    message["Date"] = format_datetime(datetime.fromtimestamp(host.clock.now() / 1_000_000, UTC))
    message["Message-ID"] = make_msgid(domain=site)
    # RFC 3834: neither an absence note nor a bounce of it comes back.
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(words["body"].lstrip().format(site=site, link=link))
    # Whatever begins with "Content-" is lost by `set_content`.
    message["Content-Language"] = language
    return message
