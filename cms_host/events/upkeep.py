"""What the outbox needs beside its dispatcher: an end for old rows, and a look at how it does."""

from sqlalchemy import ColumnElement, Table, bindparam, delete, exists, func, select

from cms_host.db import Id, Instant, Query
from cms_host.events import outbox
from cms_host.events.tables import attempts, deliveries, events, is_new, lanes
from cms_host.health import HealthCheck
from cms_host.jobs import Job
from cms_host.services import UnitOfWork
from cms_host.settings import Setting

SECOND = 1_000_000
DAY = 86_400 * SECOND
#: Rows that one statement deletes at the most, so that writers never wait for long.
BATCH = 500
#: Seconds that an event may wait for its first attempt before health says so.
LATE = 60

KEPT_DAYS = Setting(
    "events.keep_days",
    30,
    "Days for which events, and the log of attempts to deliver them, are kept.",
    minimum=1,
    maximum=365,
)


def _forget(table: Table, moment: str, *more: ColumnElement[bool]) -> Query[tuple[int, ...]]:
    key, at = table.primary_key.columns[0], table.c[moment]
    old = select(key).where(at < bindparam("before", type_=Instant), *more).order_by(at).limit(BATCH)
    return Query(delete(table).where(key.in_(old)))


#: What refers to others goes first. What was sent again lately stays with its attempts, however long ago it happened.
_FORGET = (
    _forget(attempts, "at"),
    _forget(deliveries, "created_at", ~exists().where(attempts.c.delivery == deliveries.c.number)),
    _forget(events, "created_at", ~exists().where(deliveries.c.event_id == events.c.id)),
)
_WAITING = Query(
    select(func.count().label("n"), func.min(deliveries.c.created_at).label("oldest")).where(
        deliveries.c.status == outbox.PENDING, deliveries.c.tries == bindparam("never_tried", type_=Id)
    ),
    scans=True,
)
_NEW = Query(select(func.count().label("n"), func.min(events.c.created_at).label("oldest")).where(is_new))
_PAUSED = Query(select(lanes.c.sink, lanes.c.target, lanes.c.paused_why).where(lanes.c.paused_at.is_not(None)))


async def forget(unit: UnitOfWork) -> None:
    """Delete what is older than the setting says, one batch in each transaction, delivered or not."""
    before = unit.host.clock.now() - unit.host.settings[KEPT_DAYS] * DAY
    for query in _FORGET:
        deleted = BATCH
        while deleted == BATCH:
            async with unit.write() as write:
                deleted = await write.tx.execute(query, before=before)


async def look_at_outbox(unit: UnitOfWork) -> str:
    """:raises RuntimeError: events wait for too long, or a target is paused."""
    paused = [f"{sink} {target or '(all)'}: {why}" for sink, target, why in await unit.db.all(_PAUSED)]
    if paused:
        raise RuntimeError(f"paused: {'; '.join(paused)}")
    found = [*await unit.db.all(_NEW), *await unit.db.all(_WAITING, never_tried=0)]
    number = sum(count for count, _ in found)
    now = unit.host.clock.now()
    waited = max((now - oldest) // SECOND for _, oldest in [*found, (0, now)] if oldest is not None)
    if waited > LATE:
        raise RuntimeError(f"{number} events wait, the oldest for {waited} seconds")
    return f"{number} events wait"


FORGET = Job("host.forget-events", 3_600, forget)
CHECK = HealthCheck("outbox", look_at_outbox)
