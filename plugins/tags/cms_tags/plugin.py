"""Tags: what this package gives to the host."""

from collections.abc import Mapping, Sequence
from typing import Any

from cms_host.api import Host, Role, Route, StatSource, hookimpl
from cms_tags import handlers
from cms_tags.api import Tags
from cms_tags.service import TagService, number_of_tags


@hookimpl
def cms_routes(host: Host) -> Sequence[Route]:
    """The endpoints under /tags."""
    return [
        Route("GET", "/tags", handlers.list_tags, Role.SUBSCRIBER),
        Route("POST", "/tags", handlers.create_tag, Role.EDITOR),
        Route("GET", "/tags/{slug}", handlers.read_tag, Role.SUBSCRIBER),
        Route("PUT PATCH", "/tags/{slug}", handlers.update_tag, Role.EDITOR),
        Route("DELETE", "/tags/{slug}", handlers.delete_tag, Role.EDITOR),
        Route("POST", "/tags/{slug}/merge", handlers.merge_tag, Role.EDITOR),
    ]


@hookimpl
def cms_services(host: Host) -> Mapping[type[Any], Any]:
    """What neighbours ask for tags, and what the endpoints ask."""
    return {Tags: TagService, TagService: TagService}


@hookimpl
def cms_stats(host: Host) -> Sequence[StatSource]:
    """How many tags there are."""
    return [StatSource("tags", number_of_tags)]
