"""Runs the checks: side by side, each within its own time, and none in the way of another."""

import asyncio
import logging
from collections.abc import Mapping
from typing import NamedTuple

from cms_health.schemas import DEGRADED, OK
from cms_host.api import HealthCheck, Host

log = logging.getLogger("cms_health")
#: Seconds that one check may take.
TIME_LIMIT = 2.0
#: Characters of a check's message.
LONGEST = 500


class Result(NamedTuple):
    status: str
    #: What the check said, or what went wrong with it.
    detail: str


async def run_checks(host: Host) -> Mapping[str, Result]:
    """The result of every check, by its name, sorted."""
    checks = sorted(host.health_checks, key=lambda check: check.name)
    results = await asyncio.gather(*(_run(host, check) for check in checks))
    return {check.name: result for check, result in zip(checks, results, strict=True)}


async def _run(host: Host, check: HealthCheck) -> Result:
    try:
        async with asyncio.timeout(TIME_LIMIT):
            return Result(OK, (await check.run(host.unit()))[:LONGEST])
    except TimeoutError:
        message = f"No answer within {TIME_LIMIT:g} s"
    except Exception as error:  # noqa: BLE001 - whatever a check raises is its way to say that something is wrong.
        message = f"{error}" or type(error).__name__
    log.warning("health check failed", extra={"check": check.name, "reason": message})
    return Result(DEGRADED, message[:LONGEST])
