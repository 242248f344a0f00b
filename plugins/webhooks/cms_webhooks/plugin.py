"""Inbound webhooks: what this package gives to the host."""

from collections.abc import Mapping, Sequence
from typing import Any

from cms_host.api import Authenticator, Host, Role, Route, Setting, hookimpl
from cms_webhooks import handlers
from cms_webhooks.actions import ACTIONS
from cms_webhooks.authenticator import SignatureAuthenticator
from cms_webhooks.memory import Handler, once_signed
from cms_webhooks.settings import INBOUND_SECRET, INBOUND_USER, REQUIRE_TIMESTAMP

#: Those that write are carried out once for each signature.
HANDLERS: Mapping[str, Handler] = {
    "publish": once_signed(handlers.publish_submission),
    "draft": once_signed(handlers.draft_submission),
    "schedule": once_signed(handlers.schedule_submission),
    "media": once_signed(handlers.fetch_medium),
    "bulk-publish": once_signed(handlers.publish_many),
    "queue-pending": handlers.list_pending,
    "test": handlers.test_connection,
}


@hookimpl
def cms_routes(host: Host) -> Sequence[Route]:
    """The list of the actions, and the actions."""
    listed = Route("GET", "/webhook", handlers.list_actions, Role.SUBSCRIBER)
    return [listed, *(Route("POST", f"/webhook/{name}", HANDLERS[name], role) for name, role in ACTIONS.items())]


@hookimpl
def cms_authenticators(host: Host) -> Sequence[Authenticator]:
    """Signatures, where there is no key."""
    return [SignatureAuthenticator(host)]


@hookimpl
def cms_settings() -> Sequence[Setting[Any]]:
    """What signatures are made with, and for whom they speak."""
    return [INBOUND_SECRET, INBOUND_USER, REQUIRE_TIMESTAMP]
