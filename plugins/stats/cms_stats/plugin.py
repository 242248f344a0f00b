"""Stats: what this package gives to the host."""

from collections.abc import Mapping, Sequence
from typing import Any

from cms_host.api import Host, Job, Role, Route, Setting, hookimpl
from cms_stats import handlers
from cms_stats.forgetting import FORGET
from cms_stats.service import StatService
from cms_stats.settings import DAILY_DAYS, HOURLY_HOURS
from cms_stats.views import EVERY, PendingViews


@hookimpl
def cms_routes(host: Host) -> Sequence[Route]:
    """The endpoints under /stats."""
    return [
        Route("GET", "/stats", handlers.read_stats, Role.SUBSCRIBER),
        Route("POST", "/stats/views", handlers.count_views, Role.EDITOR),
    ]


@hookimpl
def cms_services(host: Host) -> Mapping[type[Any], Any]:
    """What the endpoints ask."""
    return {StatService: StatService}


@hookimpl
def cms_jobs(host: Host) -> Sequence[Job]:
    """Writes what was viewed, and forgets what is old."""
    return [Job("stats.views", EVERY, host.one(PendingViews).flush, scope="process", at_stop=True), FORGET]


@hookimpl
def cms_settings() -> Sequence[Setting[Any]]:
    """For how long views are kept."""
    return [DAILY_DAYS, HOURLY_HOURS]
