"""Health: what this package gives to the host."""

from collections.abc import Sequence

from cms_health import handlers
from cms_host.api import Host, Role, Route, hookimpl


@hookimpl
def cms_routes(host: Host) -> Sequence[Route]:
    """The endpoint."""
    return [Route("GET", "/health", handlers.read_health, Role.SUBSCRIBER)]
