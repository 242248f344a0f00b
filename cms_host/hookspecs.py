"""The hooks. Each is synchronous, does no I/O and returns what the host will use; objects act later (docs/hooks.md).

pluggy checks implementations against what stands here and never calls it, so none has a body; `pyproject.toml` tells
mypy so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pluggy

if TYPE_CHECKING:
    import click

    from cms_host.events.event import Event
    from cms_host.events.sink import EventSink
    from cms_host.finding import SearchSource, SitemapSource
    from cms_host.gate import GateRule
    from cms_host.health import HealthCheck
    from cms_host.host import Host
    from cms_host.indexes import StoredIndex
    from cms_host.jobs import Job
    from cms_host.observing import PostObserver
    from cms_host.principal import Authenticator
    from cms_host.routing import Page, Route
    from cms_host.services import Factory
    from cms_host.settings import Setting
    from cms_host.stats import StatSource

PROJECT = "cms_host"
#: Grows when a hook is taken away or changes its meaning; a new hook does not count.
HOOKSPEC_VERSION = 1

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def cms_routes(host: Host) -> Sequence[Route]:
    """Endpoints under /api/v1. Left out when the plugin is switched off in config."""


@hookspec
def cms_pages(host: Host) -> Sequence[Page]:
    """Public pages outside the API. Left out when the plugin is switched off in config."""


@hookspec
def cms_services(host: Host) -> Mapping[type[Any], Factory]:
    """What neighbours may ask a unit of work for: a type, and the factory that makes it."""


@hookspec
def cms_authenticators(host: Host) -> Sequence[Authenticator]:
    """Ways to recognise a caller, tried in the plugins' order. None at all refuses the start."""


@hookspec
def cms_gate_rules(host: Host) -> Sequence[GateRule]:
    """Rules that every publish must pass."""


@hookspec
def cms_post_observers(host: Host) -> Sequence[PostObserver]:
    """Objects that are told of every saved post, inside its transaction."""


@hookspec
def cms_event_kinds() -> Sequence[type[Event]]:
    """Classes of events that the plugin emits."""


@hookspec
def cms_event_sinks(host: Host) -> Sequence[EventSink]:
    """Where events are delivered to."""


@hookspec
def cms_settings() -> Sequence[Setting[Any]]:
    """Run-time settings, with their types, defaults and bounds."""


@hookspec
def cms_jobs(host: Host) -> Sequence[Job]:
    """Work that repeats in the background."""


@hookspec
def cms_commands() -> Sequence[click.Command]:
    """Sub-commands of `cms-host`."""


@hookspec
def cms_health_checks(host: Host) -> Sequence[HealthCheck]:
    """Things that /health looks at."""


@hookspec
def cms_stats(host: Host) -> Sequence[StatSource]:
    """Figures that /stats shows."""


@hookspec
def cms_indexes(host: Host) -> Sequence[StoredIndex]:
    """Copies that a plugin keeps beside its records: what `check` verifies and `reindex` makes anew."""


@hookspec
def cms_search_sources(host: Host) -> Sequence[SearchSource]:
    """Where /search finds what everybody may read."""


@hookspec
def cms_sitemap_sources(host: Host) -> Sequence[SitemapSource]:
    """Pages that the sitemap tells search engines of."""
