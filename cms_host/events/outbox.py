"""The statements: events in, deliveries out lane by lane, outcomes kept."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import uuid4

from sqlalchemy import bindparam, case, delete, func, literal_column, null, select, update

from cms_host.db import Id, Instant, Query, Reader, Transaction, insert, one_of
from cms_host.events.tables import attempts, deliveries, events, is_new, lanes

#: The target of what a routing sink could not name targets for yet, and of everything of a sink without any.
NO_TARGET = ""
PENDING, DELIVERED, FAILED = "pending", "delivered", "failed"


class Occurrence(NamedTuple):
    """An event as it was written down."""

    #: A UUID, the same for every target and every attempt.
    id: str
    kind: str
    #: Microseconds since the epoch.
    created_at: int
    #: UTF-8 JSON, frozen when it happened: `{"id", "event", "created_at", "data"}` (contract 7).
    body: bytes


class Lane(NamedTuple):
    """A target of a sink."""

    sink: str
    target: str


#: No sink's: who is at it asks the sinks whom they want told of what has just happened.
ARRIVALS = Lane("", NO_TARGET)


class Due(NamedTuple):
    """A delivery whose next attempt is due, with its event."""

    number: int
    id: str
    #: Attempts that were made.
    tries: int
    event_id: str
    kind: str
    created_at: int
    body: bytes

    @property
    def event(self) -> Occurrence:
        """What happened."""
        return Occurrence(self.event_id, self.kind, self.created_at, self.body)


class Outcome(NamedTuple):
    """What came of one attempt."""

    ok: bool
    at: int
    milliseconds: int
    record: Mapping[str, Any]
    #: What the delivery is now.
    status: str
    #: When the next attempt is due.
    due_at: int


is_pending = deliveries.c.status == literal_column("'pending'")
_now: Any = bindparam("now", type_=Instant)
_ADD_EVENT = Query(insert(events).values({name: bindparam(name) for name in Occurrence._fields} | {"routed": False}))
_NEW = Query(
    select(events.c.id, events.c.kind, events.c.created_at, events.c.body)
    .where(is_new)
    .order_by(events.c.number)
    .limit(bindparam("most", type_=Id)),
    Occurrence,
)
_ROUTED = Query(
    {
        dialect: update(events).where(is_known).values(routed=True)
        for dialect, is_known in one_of(events.c.id, "ids").items()
    }
)
_BEHIND = Query(
    {
        dialect: select(deliveries.c.sink).where(is_asked, deliveries.c.target == NO_TARGET, is_pending).distinct()
        for dialect, is_asked in one_of(deliveries.c.sink, "sinks").items()
    }
)
_ADD_DELIVERY = Query(
    insert(deliveries).values(
        {
            each.key: bindparam(each.key)
            for each in deliveries.c
            if each.key not in ("number", "status", "tries", "due_at")
        }
        | {"status": PENDING, "tries": 0, "due_at": 0}
    )
)
_OPEN = Query(
    insert(lanes)
    .values(sink=bindparam("sink"), target=bindparam("target"), token="", until=0, paused_why="")
    .on_conflict_do_nothing(index_elements=["sink", "target"])
)
_of_lane = (lanes.c.sink == bindparam("of_sink"), lanes.c.target == bindparam("of_target"))
_is_mine = lanes.c.token == bindparam("mine")
_CLOSE = Query(update(lanes).where(*_of_lane, _is_mine).values(token="", until=_now))
_NOTE = Query(
    update(lanes)
    .where(*_of_lane, _is_mine)
    .values(
        until=bindparam("lease", type_=Instant),
        failing_since=case(
            (bindparam("failed_at", type_=Instant).is_(None), null()),
            else_=func.coalesce(lanes.c.failing_since, bindparam("failed_at", type_=Instant)),
        ),
    )
    .returning(lanes.c.failing_since)
)
_PAUSE = Query(update(lanes).where(*_of_lane).values(paused_at=_now, paused_why=bindparam("why")))
_RESUME = Query(
    update(lanes).where(*_of_lane).values(paused_at=null(), paused_why="", failing_since=null(), until=0, token="")
)
_NEXT = Query(
    select(
        deliveries.c.number,
        deliveries.c.id,
        deliveries.c.tries,
        deliveries.c.event_id,
        events.c.kind,
        events.c.created_at,
        events.c.body,
    )
    .join_from(deliveries, events, events.c.id == deliveries.c.event_id)
    .where(
        deliveries.c.sink == bindparam("of_sink"),
        deliveries.c.target == bindparam("of_target"),
        is_pending,
        deliveries.c.due_at <= _now,
    )
    .order_by(deliveries.c.due_at, deliveries.c.number)
    .limit(bindparam("most", type_=Id)),
    Due,
)
_LOG = Query(insert(attempts).values({each.key: bindparam(each.key) for each in attempts.c if each.key != "number"}))
_DROP = Query(delete(deliveries).where(deliveries.c.number == bindparam("which")))
_SETTLE = Query(
    update(deliveries)
    .where(deliveries.c.number == bindparam("which"))
    .values(status=bindparam("became"), due_at=bindparam("next_at", type_=Instant), tries=deliveries.c.tries + 1)
)


async def add(tx: Transaction, event: Occurrence) -> None:
    """Write an event down; nobody waits for it."""
    await tx.send(_ADD_EVENT, **event._asdict())


async def add_delivery(tx: Transaction, lane: Lane, event_id: str, now: int) -> None:
    """One event is to be delivered to one target."""
    await tx.send(_ADD_DELIVERY, id=str(uuid4()), event_id=event_id, created_at=now, **lane._asdict())


async def open_lane(tx: Transaction, lane: Lane) -> None:
    """Make sure that a target has a lane; without a target, that the sink's events arrive in one."""
    await tx.send(_OPEN, **lane._asdict())


async def close(tx: Transaction, lane: Lane, token: str, now: int) -> None:
    """Let others have the lane."""
    await tx.send(_CLOSE, of_sink=lane.sink, of_target=lane.target, mine=token, now=now)


async def find_new(db: Reader, most: int) -> list[Occurrence]:
    """Events of which no sink knows yet, in the order in which they happened."""
    return await db.all(_NEW, most=most)


async def find_behind(db: Reader, sinks: Iterable[str]) -> set[str]:
    """Those of the sinks that have yet to name targets for earlier events."""
    return {sink for (sink,) in await db.all(_BEHIND, sinks=sinks)}


async def find_due(db: Reader, lane: Lane, now: int, most: int) -> list[Due]:
    """What is to be delivered next in a lane, in order."""
    return await db.all(_NEXT, of_sink=lane.sink, of_target=lane.target, now=now, most=most)


async def settle(tx: Transaction, lane: Lane, due: Due, token: str, outcome: Outcome, until: int) -> int | None:
    """Keep what came of an attempt, and the lane for longer; gives since when the lane has known only failures.

    :raises LaneLost: another process has taken the lane over.
    """
    since = await _keep_lane(tx, lane, token, until, None if outcome.ok else outcome.at)
    await tx.send(_SETTLE, which=due.number, became=outcome.status, next_at=outcome.due_at)
    await tx.send(
        _LOG,
        delivery=due.number,
        at=outcome.at,
        ok=outcome.ok,
        milliseconds=outcome.milliseconds,
        record=dict(outcome.record),
    )
    return since


async def arrive(
    tx: Transaction, token: str, new: Sequence[Occurrence], found: Sequence[tuple[Occurrence, Lane]], until: int
) -> None:
    """Put new events into the lanes of those that want them, and keep the lane of arrivals for longer.

    :raises LaneLost: another process has taken the lane over.
    """
    await _keep_lane(tx, ARRIVALS, token, until, None)
    await _fill(tx, found)
    await tx.send(_ROUTED, ids=[event.id for event in new])


async def route(
    tx: Transaction, lane: Lane, token: str, done: Sequence[Due], found: Sequence[tuple[Occurrence, Lane]], until: int
) -> None:
    """Put what waited in a sink's own lane into the lanes of its targets, and keep the own one for longer.

    :raises LaneLost: another process has taken the lane over.
    """
    await _keep_lane(tx, lane, token, until, None)
    await _fill(tx, found)
    for due in done:
        await tx.send(_DROP, which=due.number)


async def _fill(tx: Transaction, found: Sequence[tuple[Occurrence, Lane]]) -> None:
    for lane in sorted({lane for _, lane in found}):
        await open_lane(tx, lane)
    for event, lane in found:
        await add_delivery(tx, lane, event.id, event.created_at)


async def pause(tx: Transaction, lane: Lane, why: str, now: int) -> None:
    """Deliver nothing more to a target; what is due for it waits."""
    await tx.send(_PAUSE, of_sink=lane.sink, of_target=lane.target, why=why, now=now)


async def resume(tx: Transaction, lane: Lane) -> None:
    """Deliver to a paused target again, what waited for it first."""
    await tx.send(_RESUME, of_sink=lane.sink, of_target=lane.target)


async def _keep_lane(tx: Transaction, lane: Lane, token: str, until: int, failed_at: int | None) -> int | None:
    """Note whether it went well; gives since when it has not."""
    noted = await tx.all(_NOTE, of_sink=lane.sink, of_target=lane.target, mine=token, lease=until, failed_at=failed_at)
    if not noted:
        raise LaneLost
    since: int | None = noted[0][0]
    return since


class LaneLost(Exception):
    """Another process has taken this lane over"""
