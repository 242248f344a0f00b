"""Members: what this package gives to the host."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from cms_host.api import Event, HealthCheck, Host, Job, Page, Setting, hookimpl
from cms_members import handlers, mailing
from cms_members.addresses import CONFIRM, REGISTER
from cms_members.carriers import carrier_of
from cms_members.events import MemberRegistered
from cms_members.mailing import Mailing
from cms_members.service import MemberService
from cms_members.settings import MAILS_PER_ADDRESS, TRIES_PER_CLIENT


@hookimpl
def cms_pages(host: Host) -> Sequence[Page]:
    """The form, and what the link in the mail opens."""
    shown = {REGISTER: partial(handlers.show_form, host), CONFIRM: partial(handlers.ask, host)}
    sent = {REGISTER: partial(handlers.register, host), CONFIRM: partial(handlers.confirm, host)}
    return [
        *(Page(method, path, handler) for path, handler in shown.items() for method in ("GET", "HEAD")),
        *(Page("POST", path, handler) for path, handler in sent.items()),
    ]


@hookimpl
def cms_services(host: Host) -> Mapping[type[Any], Any]:
    """What the pages ask."""
    return {MemberService: MemberService}


@hookimpl
def cms_event_kinds() -> Sequence[type[Event]]:
    """What receivers are told of members."""
    return [MemberRegistered]


@hookimpl
def cms_settings() -> Sequence[Setting[Any]]:
    """How often somebody may try."""
    return [TRIES_PER_CLIENT, MAILS_PER_ADDRESS]


@hookimpl
def cms_jobs(host: Host) -> Sequence[Job]:
    """Sends mails, in whichever process is first, and deletes what is over."""
    return [Job("members.mail", 2, Mailing(carrier_of(host)).send_due, scope="process"), mailing.FORGET]


@hookimpl
def cms_health_checks(host: Host) -> Sequence[HealthCheck]:
    """Whether mails go out."""
    return [mailing.CHECK]
