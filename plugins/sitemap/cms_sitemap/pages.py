"""The public sitemap: /sitemap.xml, and the files that it is an index of where one does not hold everything."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from functools import partial

from aiohttp import web

from cms_host.api import Host, NotFound, Page, SitemapEntry, SitemapSource, stream
from cms_sitemap.service import STEP, urlset, walk
from cms_sitemap.settings import FILE_ENTRIES
from cms_sitemap.xml import CONTENT_TYPE, INDEX_BEGINS, INDEX_ENDS, sitemap_element

WHOLE = "/sitemap.xml"
#: No post has such a slug, for slugs have no dots.
PART = r"/sitemap-{source:[a-z][a-z-]*}-{number:[1-9][0-9]{0,11}}.xml"


def pages(host: Host) -> Sequence[Page]:
    """Both of them, for GET and HEAD."""
    shown = {WHOLE: partial(_show_whole, host), PART: partial(_show_part, host)}
    return [Page(method, path, handler) for path, handler in shown.items() for method in ("GET", "HEAD")]


async def _show_whole(host: Host, request: web.Request) -> web.StreamResponse:
    # No request of the API has seen to it that the settings are those of this moment.
    await host.settings.refresh(host.db)
    most = host.settings[FILE_ENTRIES]
    total = sum([await source.count(host.db) for source in host.sitemap_sources])
    pieces = _index(host, most) if total > most else urlset(host, walk(host.db, host, 0, most))
    return await stream(request, pieces, CONTENT_TYPE)


async def _show_part(host: Host, request: web.Request) -> web.StreamResponse:
    """The entries whose ids are in one span: what is in one part never moves to another."""
    await host.settings.refresh(host.db)
    named = {source.name: source for source in host.sitemap_sources}
    source, number = named.get(request.match_info["source"]), int(request.match_info["number"])
    if source is None:
        raise NotFound
    size = host.settings[FILE_ENTRIES]
    if not await source.entries(host.db, (number - 1) * size, 1, upto_id=number * size):
        raise NotFound
    return await stream(request, urlset(host, _span(host, source, number, size)), CONTENT_TYPE)


async def _span(host: Host, source: SitemapSource, number: int, size: int) -> AsyncIterator[Sequence[SitemapEntry]]:
    after, upto = (number - 1) * size, number * size
    while found := await source.entries(host.db, after, STEP, upto_id=upto):
        yield found
        after = found[-1].id


async def _index(host: Host, size: int) -> AsyncGenerator[bytes]:
    yield INDEX_BEGINS
    for source in host.sitemap_sources:
        for part in await source.parts(host.db, size):
            address = f"{host.config.base_url}/sitemap-{source.name}-{part.number}.xml"
            yield sitemap_element(address, part.modified_at, host.timezone)
    yield INDEX_ENDS
