"""The endpoints of stats."""

from aiohttp import web
from aiohttp_apispec import docs, json_schema, response_schema

from cms_host.api import body, ok, unit_of
from cms_stats.records import counted_record, stats_record
from cms_stats.schemas import CountedRecord, CountViews, StatsRecord
from cms_stats.service import StatService
from cms_stats.views import VIEWS_LOCK

COUNT = CountViews()


@docs(tags=["stats"], summary="The site in figures")
@response_schema(StatsRecord, 200)
async def read_stats(request: web.Request) -> web.Response:
    """Views are those that are written, which is done every minute."""
    unit = unit_of(request)
    service, host = unit.get(StatService), unit.host
    figures, views = await service.figures(), await service.views()
    return ok(stats_record(figures, views, host.clock.now(), host.timezone))


@docs(tags=["stats"], summary="Count views of posts")
@json_schema(COUNT)
@response_schema(CountedRecord, 200)
async def count_views(request: web.Request) -> web.Response:
    """Adds to what was counted; of a post that does not exist they are left out, with a warning."""
    unit, sent = unit_of(request), await body(request, COUNT)
    viewed = [(each["post_id"], each["count"]) for each in sent["items"]]
    # What is kept under an Idempotency-Key is written with it; everything else waits in memory for its minute.
    if not unit.attempts:
        return ok(counted_record(*await unit.get(StatService).note(viewed)))
    async with unit.write(VIEWS_LOCK) as write:
        return write.answer(counted_record(*await write.get(StatService).count(viewed)))
