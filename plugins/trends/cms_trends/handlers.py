"""The endpoint of trends."""

from aiohttp import web
from aiohttp_apispec import docs, querystring_schema, response_schema

from cms_host.api import ok, query, unit_of
from cms_trends import store
from cms_trends.period import DEFAULT, PERIODS
from cms_trends.records import trends_record
from cms_trends.schemas import DEFAULT_LIMIT, MOST, ListTrends, TrendsRecord

LIST = ListTrends()


@docs(tags=["trends"], summary="What is read most")
@querystring_schema(LIST)
@response_schema(TrendsRecord, 200)
async def list_trends(request: web.Request) -> web.Response:
    """Of what a subscriber may read; views are those that are written, which is done every minute."""
    unit, sent = unit_of(request), query(request, LIST)
    period, limit = PERIODS[sent.get("period", DEFAULT)], sent.get("limit", DEFAULT_LIMIT)
    span = period.span(unit.host.clock.now(), unit.host.timezone)
    wanted = period, span, min(limit, MOST) if limit >= 1 else DEFAULT_LIMIT
    posts, tags = await store.trending_posts(unit.db, *wanted), await store.trending_tags(unit.db, *wanted)
    return ok(trends_record(period.name, posts, tags))
