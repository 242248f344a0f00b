"""Trends: what this package gives to the host."""

from collections.abc import Mapping, Sequence
from typing import Any

from cms_host.api import Host, Role, Route, hookimpl
from cms_trends import handlers
from cms_trends.service import TrendService


@hookimpl
def cms_routes(host: Host) -> Sequence[Route]:
    """The endpoint."""
    return [Route("GET", "/trends", handlers.list_trends, Role.SUBSCRIBER)]


@hookimpl
def cms_services(host: Host) -> Mapping[type[Any], Any]:
    """What the endpoint asks."""
    return {TrendService: TrendService}
