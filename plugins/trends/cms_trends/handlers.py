"""The endpoint of trends."""

from aiohttp import web
from aiohttp_apispec import docs, querystring_schema, response_schema

from cms_host.api import ok, query, unit_of
from cms_trends.period import DEFAULT, PERIODS
from cms_trends.records import trends_record
from cms_trends.schemas import DEFAULT_LIMIT, MOST, ListTrends, TrendsRecord
from cms_trends.service import TrendService

LIST = ListTrends()


@docs(tags=["trends"], summary="What is read most")
@querystring_schema(LIST)
@response_schema(TrendsRecord, 200)
async def list_trends(request: web.Request) -> web.Response:
    """Of what a subscriber may read; views are those that are written, which is done every minute."""
    service, sent = unit_of(request).get(TrendService), query(request, LIST)
    period, limit = PERIODS[sent.get("period", DEFAULT)], sent.get("limit", DEFAULT_LIMIT)
    limit = min(limit, MOST) if limit >= 1 else DEFAULT_LIMIT
    return ok(trends_record(period.name, await service.posts(period, limit), await service.tags(period, limit)))
