"""The hooks. Each is synchronous, does no I/O and returns what the host will use; objects act later (docs/hooks.md).

pluggy checks implementations against what stands here and never calls it, so none has a body; mypy must be told so of
each (`empty-body`), for a body that raised would be a line that no test can reach.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pluggy

if TYPE_CHECKING:
    import click

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
def cms_routes(host: Host) -> Sequence[Route]:  # type: ignore[empty-body]
    """Endpoints under /api/v1. Left out when the plugin is switched off in config."""


@hookspec
def cms_pages(host: Host) -> Sequence[Page]:  # type: ignore[empty-body]
    """Public pages outside the API. Left out when the plugin is switched off in config."""


@hookspec
def cms_services(host: Host) -> Mapping[type[Any], Factory]:  # type: ignore[empty-body]
    """What neighbours may ask a unit of work for: a type, and the factory that makes it."""


@hookspec
def cms_authenticators(host: Host) -> Sequence[Authenticator]:  # type: ignore[empty-body]
    """Ways to recognise a caller, tried in the plugins' order. None at all refuses the start."""


@hookspec
def cms_gate_rules(host: Host) -> Sequence[GateRule]:  # type: ignore[empty-body]
    """Rules that every publish must pass."""


@hookspec
def cms_post_observers(host: Host) -> Sequence[PostObserver]:  # type: ignore[empty-body]
    """Objects that are told of every saved post, inside its transaction."""


@hookspec
def cms_settings() -> Sequence[Setting[Any]]:  # type: ignore[empty-body]
    """Run-time settings, with their types, defaults and bounds."""


@hookspec
def cms_jobs(host: Host) -> Sequence[Job]:  # type: ignore[empty-body]
    """Work that repeats in the background."""


@hookspec
def cms_commands() -> Sequence[click.Command]:  # type: ignore[empty-body]
    """Sub-commands of `cms-host`."""


@hookspec
def cms_health_checks(host: Host) -> Sequence[HealthCheck]:  # type: ignore[empty-body]
    """Things that /health looks at."""


@hookspec
def cms_stats(host: Host) -> Sequence[StatSource]:  # type: ignore[empty-body]
    """Figures that /stats shows."""


@hookspec
def cms_indexes(host: Host) -> Sequence[StoredIndex]:  # type: ignore[empty-body]
    """Copies that a plugin keeps beside its records: what `check` verifies and `reindex` makes anew."""
