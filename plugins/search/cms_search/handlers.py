"""The endpoint of search."""

from aiohttp import web
from aiohttp_apispec import docs, querystring_schema, response_schema

from cms_host.api import ok, page, paging, query, unit_of
from cms_search.schemas import FoundPage, Search
from cms_search.service import SearchService

SEARCH = Search()


@docs(tags=["search"], summary="Find published posts and pages")
@querystring_schema(SEARCH)
@response_schema(FoundPage, 200)
async def search(request: web.Request) -> web.Response:
    """The best first. Everybody finds the same: what is published and open to all, as it is at this moment."""
    unit, sent = unit_of(request), query(request, SEARCH)
    asked = paging(sent)
    records, total = await unit.get(SearchService).page(sent["q"], sent.get("type"), asked)
    return ok(page(records, total, *asked))
