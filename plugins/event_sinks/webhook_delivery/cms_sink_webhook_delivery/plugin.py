"""Outgoing webhooks: what this package gives to the host."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from cms_host.api import EventSink, Host, hookimpl
from cms_sink_webhook_delivery.commands import WEBHOOK
from cms_sink_webhook_delivery.service import EntryService
from cms_sink_webhook_delivery.sink import KnownEntries, WebhookSink


@hookimpl
def cms_event_sinks(host: Host) -> Sequence[EventSink]:
    """Signed requests to the entries."""
    return [WebhookSink()]


@hookimpl
def cms_services(host: Host) -> Mapping[type[Any], Any]:
    """What the commands and the sink ask."""
    return {EntryService: EntryService, KnownEntries: KnownEntries}


@hookimpl
def cms_commands() -> Sequence[click.Command]:
    """`cms-host webhook`."""
    return [WEBHOOK]
