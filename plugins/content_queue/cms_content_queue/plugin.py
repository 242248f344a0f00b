"""The content queue: what this package gives to the host."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from cms_content_queue.api import PendingItems
from cms_content_queue.commands import QUEUE
from cms_content_queue.retention import FORGET
from cms_content_queue.service import QueueService
from cms_content_queue.settings import KEEP_DAYS
from cms_host.api import Host, Job, Setting, hookimpl


@hookimpl
def cms_services(host: Host) -> Mapping[type[Any], Any]:
    """What neighbours ask about the queue, and what its own commands ask."""
    return {PendingItems: QueueService, QueueService: QueueService}


@hookimpl
def cms_commands() -> Sequence[click.Command]:
    """`cms-host queue`."""
    return [QUEUE]


@hookimpl
def cms_settings() -> Sequence[Setting[Any]]:
    """How long decided items are kept."""
    return [KEEP_DAYS]


@hookimpl
def cms_jobs(host: Host) -> Sequence[Job]:
    """Old items that were decided are deleted."""
    return [FORGET]
