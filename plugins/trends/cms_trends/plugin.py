"""Trends: what this package gives to the host."""

from collections.abc import Sequence

from cms_host.api import Host, Role, Route, hookimpl
from cms_trends import handlers


@hookimpl
def cms_routes(host: Host) -> Sequence[Route]:
    """The endpoint."""
    return [Route("GET", "/trends", handlers.list_trends, Role.SUBSCRIBER)]
