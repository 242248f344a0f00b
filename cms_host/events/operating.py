"""What operators see and change of deliveries: paused targets, the log, and sending again."""

from collections.abc import Collection
from typing import Any, NamedTuple

from sqlalchemy import bindparam, delete, func, select, update

from cms_host.db import Id, Instant, Query
from cms_host.events import outbox
from cms_host.events.outbox import Lane
from cms_host.events.tables import attempts, deliveries, events, lanes
from cms_host.services import UnitOfWork


class LaneState(NamedTuple):
    """How a target is doing. Moments are microseconds since the epoch."""

    target: str
    paused_at: int | None
    paused_why: str
    failing_since: int | None


class Logged(NamedTuple):
    """One attempt, with what the sink kept of it."""

    delivery: str
    target: str
    event: str
    event_id: str
    at: int
    ok: bool
    milliseconds: int
    #: What became of the delivery by now.
    status: str
    record: dict[str, Any]


_of_sink = deliveries.c.sink == bindparam("of_sink")
_STATES = Query(
    select(lanes.c.target, lanes.c.paused_at, lanes.c.paused_why, lanes.c.failing_since).where(
        lanes.c.sink == bindparam("of_sink")
    ),
    LaneState,
)
_WAITING = Query(
    select(deliveries.c.target, func.count().label("n"))
    .where(_of_sink, deliveries.c.status == outbox.PENDING)
    .group_by(deliveries.c.target),
    scans=True,
)
_log = (
    select(
        deliveries.c.id,
        deliveries.c.target,
        events.c.kind,
        events.c.id.label("event_id"),
        attempts.c.at,
        attempts.c.ok,
        attempts.c.milliseconds,
        deliveries.c.status,
        attempts.c.record,
    )
    .join_from(attempts, deliveries, deliveries.c.number == attempts.c.delivery)
    .join(events, events.c.id == deliveries.c.event_id)
    .where(_of_sink)
    .order_by(attempts.c.number.desc())
    .limit(bindparam("most", type_=Id))
)
_LOG = Query(_log, scans=True)
_LOG_OF_TARGET = Query(_log.where(deliveries.c.target == bindparam("of_target")), scans=True)
_RESEND = Query(
    update(deliveries)
    .where(_of_sink, deliveries.c.id == bindparam("which"), deliveries.c.target != outbox.NO_TARGET)
    .values(status=outbox.PENDING, due_at=0)
)
_SINCE = Query(
    select(events.c.id, events.c.kind, events.c.created_at)
    .where(events.c.created_at >= bindparam("since", type_=Instant))
    .order_by(events.c.number),
    scans=True,
)
_FORGET_TARGET = Query(
    delete(deliveries).where(
        _of_sink, deliveries.c.target == bindparam("of_target"), deliveries.c.status == outbox.PENDING
    )
)
_CLOSE = Query(delete(lanes).where(lanes.c.sink == bindparam("of_sink"), lanes.c.target == bindparam("of_target")))


class Outbox:
    """Deliveries of one sink, as those who operate it see and change them; writing needs a unit inside `write()`."""

    def __init__(self, unit: UnitOfWork, sink: str) -> None:
        self._unit = unit
        self._sink = sink

    async def states(self) -> dict[str, LaneState]:
        """Of every target that ever had something to be delivered, by target."""
        return {each.target: each for each in await self._unit.db.all(_STATES, of_sink=self._sink)}

    async def waiting(self) -> dict[str, int]:
        """How many deliveries wait, by target."""
        return dict(await self._unit.db.all(_WAITING, of_sink=self._sink))

    async def log(self, target: str | None, most: int) -> list[Logged]:
        """The last attempts, of all targets or of one, newest first."""
        if target is None:
            found = await self._unit.db.all(_LOG, of_sink=self._sink, most=most)
        else:
            found = await self._unit.db.all(_LOG_OF_TARGET, of_sink=self._sink, of_target=target, most=most)
        return [Logged(*row) for row in found]

    async def pause(self, target: str, why: str) -> None:
        """Deliver nothing more to a target; what happens waits."""
        lane = Lane(self._sink, target)
        await outbox.open_lane(self._unit.tx, lane)
        await outbox.pause(self._unit.tx, lane, why, self._unit.host.clock.now())

    async def resume(self, target: str) -> None:
        """Deliver to a paused target again, what waited for it first."""
        await outbox.resume(self._unit.tx, Lane(self._sink, target))

    async def resend(self, delivery: str) -> bool:
        """Try a delivery once more, with the same body; says whether there is such a delivery."""
        return await self._unit.tx.execute(_RESEND, of_sink=self._sink, which=delivery) > 0

    async def replay(self, target: str, kinds: Collection[str], since: int) -> int:
        """Deliver again what has happened since a moment; says how many events that are.

        :param kinds: of the events that the target wants; empty for all.
        """
        lane, tx = Lane(self._sink, target), self._unit.tx
        found = [row for row in await tx.all(_SINCE, since=since) if not kinds or row[1] in kinds]
        await outbox.open_lane(tx, lane)
        for event_id, _, created_at in found:
            await outbox.add_delivery(tx, lane, event_id, created_at)
        return len(found)

    async def forget(self, target: str) -> None:
        """A target is no more: what waits for it is not delivered."""
        await self._unit.tx.send(_FORGET_TARGET, of_sink=self._sink, of_target=target)
        await self._unit.tx.send(_CLOSE, of_sink=self._sink, of_target=target)
