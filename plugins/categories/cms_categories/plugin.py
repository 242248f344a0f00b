"""Categories: what this package gives to the host."""

from collections.abc import Mapping, Sequence
from typing import Any

from cms_categories import handlers
from cms_categories.api import Categories
from cms_categories.service import CategoryService, number_of_categories
from cms_host.api import Host, Role, Route, StatSource, hookimpl


@hookimpl
def cms_routes(host: Host) -> Sequence[Route]:
    """The endpoints under /categories."""
    return [
        Route("GET", "/categories", handlers.list_categories, Role.SUBSCRIBER),
        Route("POST", "/categories", handlers.create_category, Role.EDITOR),
        Route("GET", "/categories/{slug}", handlers.read_category, Role.SUBSCRIBER),
        Route("PUT PATCH", "/categories/{slug}", handlers.update_category, Role.EDITOR),
        Route("DELETE", "/categories/{slug}", handlers.delete_category, Role.EDITOR),
    ]


@hookimpl
def cms_services(host: Host) -> Mapping[type[Any], Any]:
    """What neighbours ask about categories, and what the endpoints ask."""
    return {Categories: CategoryService, CategoryService: CategoryService}


@hookimpl
def cms_stats(host: Host) -> Sequence[StatSource]:
    """How many categories there are."""
    return [StatSource("categories", number_of_categories)]
