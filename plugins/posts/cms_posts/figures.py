"""What posts tell of themselves to whoever shows the site's figures (contract 5 and 10, stats)."""

from sqlalchemy import bindparam, cast, func, select

from cms_host.api import DAY, Figures, Id, Query, StatSource, UnitOfWork
from cms_posts.gate_reports import gate_figures
from cms_posts.post import STATUSES
from cms_posts.tables import counts

#: Days of the gate's figures, today (in UTC) among them.
GATE_DAYS = 30
_BY_STATUS = Query(
    select(counts.c.status, cast(func.sum(counts.c.n), Id).label("n"))
    .where(counts.c.type == bindparam("type"))
    .group_by(counts.c.status)
)


async def _of_type(unit: UnitOfWork, kind: str) -> Figures:
    """By status, from the kept numbers; `total` is their sum, the trash included."""
    kept = {status: int(n) for status, n in await unit.db.all(_BY_STATUS, type=kind)}
    by_status = {status: kept.get(status, 0) for status in STATUSES}
    return {"total": sum(by_status.values()), **by_status}


async def _posts(unit: UnitOfWork) -> Figures:
    return await _of_type(unit, "post")


async def _pages(unit: UnitOfWork) -> Figures:
    return await _of_type(unit, "page")


async def _gate(unit: UnitOfWork) -> Figures:
    first = unit.host.clock.now() - (GATE_DAYS - 1) * DAY
    found = await gate_figures(unit.db, first)
    return {
        "refusals": found["refusals"],
        "shadow": found["shadow"],
        "schedule_refusals": found["schedule_refusals"],
    }


SOURCES = (StatSource("posts", _posts), StatSource("pages", _pages), StatSource("gate", _gate))
