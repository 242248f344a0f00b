"""The endpoint of health."""

from aiohttp import web
from aiohttp_apispec import docs, response_schema

from cms_health.checks import run_checks
from cms_health.records import health_record
from cms_health.schemas import HealthRecord
from cms_host.api import ok, unit_of


@docs(tags=["health"], summary="How the site is, and whose key this is")
@response_schema(HealthRecord, 200)
async def read_health(request: web.Request) -> web.Response:
    """Always 200: a part that is not well makes the status `degraded`."""
    unit = unit_of(request)
    results = await run_checks(unit.host)
    return ok(health_record(results, unit.principal, unit.host.clock.now(), unit.host.timezone))
