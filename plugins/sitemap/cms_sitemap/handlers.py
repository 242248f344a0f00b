"""The endpoint of the sitemap."""

from aiohttp import web
from aiohttp_apispec import docs, querystring_schema, response_schema

from cms_host.api import ok, page, paging, query, stream, unit_of
from cms_sitemap.schemas import DEFAULTS, JSON, XML, EntryPage, ReadSitemap
from cms_sitemap.service import SitemapService
from cms_sitemap.settings import MOST
from cms_sitemap.xml import CONTENT_TYPE

READ = ReadSitemap()
_AS_XML = {200: {"content": {"application/xml": {"schema": {"type": "string"}}}}}


@docs(tags=["sitemap"], summary="List the pages that search engines may show", responses=_AS_XML)
@querystring_schema(READ)
@response_schema(EntryPage, 200)
async def read_sitemap(request: web.Request) -> web.StreamResponse:
    """Published posts and pages that are open to all and that robots may index, by id. As XML, without an envelope."""
    sent, sitemap = query(request, READ), unit_of(request).get(SitemapService)
    wanted = sent.get("format", JSON)
    asked = paging(sent, DEFAULTS[wanted], MOST)
    if wanted == XML:
        return await stream(request, sitemap.xml(asked), CONTENT_TYPE)
    records, total = await sitemap.page(asked)
    return ok(page(records, total, *asked))
