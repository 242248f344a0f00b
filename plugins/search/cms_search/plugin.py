"""Search: what this package gives to the host."""

from collections.abc import Mapping, Sequence
from typing import Any

from cms_host.api import Host, Role, Route, hookimpl
from cms_search import handlers
from cms_search.service import SearchService


@hookimpl
def cms_routes(host: Host) -> Sequence[Route]:
    """The endpoint."""
    return [Route("GET", "/search", handlers.search, Role.SUBSCRIBER)]


@hookimpl
def cms_services(host: Host) -> Mapping[type[Any], Any]:
    """What the endpoint asks."""
    return {SearchService: SearchService}
