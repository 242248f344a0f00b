"""The sitemap: what this package gives to the host."""

from collections.abc import Mapping, Sequence
from typing import Any

from cms_host.api import Host, Page, Role, Route, Setting, hookimpl
from cms_sitemap import handlers
from cms_sitemap.pages import pages
from cms_sitemap.service import SitemapService
from cms_sitemap.settings import FILE_ENTRIES


@hookimpl
def cms_routes(host: Host) -> Sequence[Route]:
    """The endpoint."""
    return [Route("GET", "/sitemap", handlers.read_sitemap, Role.SUBSCRIBER)]


@hookimpl
def cms_pages(host: Host) -> Sequence[Page]:
    """What search engines read."""
    return pages(host)


@hookimpl
def cms_services(host: Host) -> Mapping[type[Any], Any]:
    """What the endpoint asks."""
    return {SitemapService: SitemapService}


@hookimpl
def cms_settings() -> Sequence[Setting[Any]]:
    """How much one file holds."""
    return [FILE_ENTRIES]
