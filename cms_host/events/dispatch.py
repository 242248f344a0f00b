"""Bringing events to their targets: the job of every process."""

import asyncio
import logging
import random
import secrets
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from itertools import chain
from time import perf_counter
from typing import NamedTuple

from cms_host.events import claims, outbox
from cms_host.events.outbox import (
    ARRIVALS,
    DELIVERED,
    FAILED,
    NO_TARGET,
    PENDING,
    Due,
    Lane,
    LaneLost,
    Occurrence,
    Outcome,
)
from cms_host.events.sink import Delivery, EventSink, Result, RoutingSink
from cms_host.jobs import Job
from cms_host.services import UnitOfWork

log = logging.getLogger("cms_host.events")
SECOND = 1_000_000
#: Lanes that one process works on at the same time, of those whose last attempt failed and of the others: each holds
#: one connection to a receiver at the most. However many receivers are dead, those that answer do not wait for them.
MOST_LANES = {False: 256, True: 64}
#: Seconds that an attempt may take, whatever a sink's own limits are.
PATIENCE = 20.0
#: Seconds after which the lane of a process that died is taken over.
LEASE = 30
#: Events for which sinks name targets before these are written down.
ROUTED_AT_ONCE = 100
#: Seconds that a sink has to name the targets of so many events while others wait for it.
ASKED = 2.0
#: Seconds between looks at the outbox.
LOOK = 0.5
#: Seconds that attempts which are under way get to end when the process stops.
GRACE = 5.0
#: Seconds until the next attempt (contract 7); after the last one the delivery has failed.
DELAYS = (5, 60, 300, 1_800, 7_200, 21_600, 43_200)
#: Share of a delay that chance adds, so that what failed together is not tried again together.
JITTER = 0.1
#: The longest wait that a receiver may ask for.
LONGEST_WAIT = 3_600
#: Seconds of nothing but failures after which a target is paused.
GIVE_UP = 5 * 86_400


async def dispatch(unit: UnitOfWork) -> None:
    """Work on every lane that has something due, until none has."""
    #: The turns under way, by whether they are at a lane whose last attempt failed.
    working: dict[asyncio.Task[None], bool] = {}
    me, is_over = asyncio.current_task(), asyncio.Event()

    def is_stopping() -> bool:
        # A task that is told to stop in the middle of a statement only gets on when the server has ended that.
        return is_over.is_set() or (me is not None and me.cancelling() > 0)

    try:
        while True:
            for is_failing, most in MOST_LANES.items():
                room = most - list(working.values()).count(is_failing)
                for turn in await _claim(unit, is_failing=is_failing, most=room):
                    working[asyncio.create_task(turn.work(is_stopping), name=f"events {turn.lane.sink}")] = is_failing
            if not working:
                return
            ended, _ = await asyncio.wait(working, timeout=LOOK, return_when=asyncio.FIRST_COMPLETED)
            for task in ended:
                del working[task]
    finally:
        is_over.set()
        if working:
            _, late = await asyncio.wait(working, timeout=GRACE)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)


async def _claim(unit: UnitOfWork, *, is_failing: bool, most: int) -> list["_Turn"]:
    now = unit.host.clock.now()
    search = claims.Search([*unit.host.event_sinks], is_failing, now, most)
    if most <= 0 or not await claims.is_any_free(unit.db, search):
        return []
    token = secrets.token_hex(8)
    async with unit.write() as write:
        lanes = await claims.claim(write.tx, search, token, now + LEASE * SECOND)
    return [_Turn(unit, lane, token) for lane in lanes]


class _Turn(NamedTuple):
    """A process's time at a lane."""

    unit: UnitOfWork
    lane: Lane
    token: str

    async def work(self, is_stopping: Callable[[], bool]) -> None:
        """Deliver what is due, one after the other; after a failure others have their turn first."""
        step = self._step()
        try:
            while not is_stopping() and await step():
                pass
        except LaneLost:
            log.warning("lane was taken over", extra=self.lane._asdict())
            return
        except Exception:
            log.exception("outcome could not be kept", extra=self.lane._asdict())
        async with self.unit.write() as write:
            await outbox.close(write.tx, self.lane, self.token, self._in(0))

    def _step(self) -> Callable[[], Awaitable[bool]]:
        if self.lane == ARRIVALS:
            return self._ask_all
        sink = self.unit.host.event_sinks[self.lane.sink]
        if self.lane.target == NO_TARGET and isinstance(sink, RoutingSink):
            return partial(self._route, sink)
        return partial(self._deliver, sink)

    async def _deliver(self, sink: EventSink) -> bool:
        """One attempt, and what came of it, which is kept before the next one begins; says whether to go on."""
        for due in await self._due(1):
            began, at = perf_counter(), self._in(0)
            delivery = Delivery(due.id, self.lane.target, due.tries + 1, due.event)
            result = await self._result(sink.deliver(self.unit, delivery))
            taken = round((perf_counter() - began) * 1000)
            await self._keep(due, result, Outcome(result.ok, at, taken, result.record, *self._next(due, result)))
            return result.ok
        return False

    async def _keep(self, due: Due, result: Result, outcome: Outcome) -> None:
        """Keep what came of an attempt, and pause a target that is not to be asked again."""
        async with self.unit.write() as write:
            failing_since = await outbox.settle(write.tx, self.lane, due, self.token, outcome, self._in(LEASE))
            why = _why_pause(result, failing_since, self._in(0))
            if why:
                await outbox.pause(write.tx, self.lane, why, self._in(0))
        if why:
            log.warning("target was paused", extra={**self.lane._asdict(), "why": why})

    def _next(self, due: Due, result: Result) -> tuple[str, int]:
        """What the delivery is after an attempt, and when the next one is due."""
        delay = None if result.ok else _delay(due.tries, result.retry_after)
        if delay is None:
            return (DELIVERED if result.ok else FAILED), self._in(0)
        return PENDING, self._in(delay)

    async def _ask_all(self) -> bool:
        """Put new events into the lanes of those who want them; says whether to go on."""
        new = await outbox.find_new(self.unit.db, ROUTED_AT_ONCE)
        if not new:
            return False
        sinks = self.unit.host.event_sinks
        behind = await outbox.find_behind(
            self.unit.db, [name for name, sink in sinks.items() if isinstance(sink, RoutingSink)]
        )
        asked = [_named(sink, self.unit.host.unit(), new, is_behind=name in behind) for name, sink in sinks.items()]
        found = list(chain.from_iterable(await asyncio.gather(*asked)))
        async with self.unit.write() as write:
            await outbox.arrive(write.tx, self.token, new, found, self._in(LEASE))
        return True

    async def _route(self, sink: RoutingSink) -> bool:
        """Ask a sink again whom it wants told of what waits in its own lane; says whether to go on.

        An event without targets yet is nobody's failure, and is never given up.
        """
        done: list[Due] = []
        found: list[tuple[Occurrence, Lane]] = []
        failed: tuple[Due, Outcome] | None = None
        unit = self.unit.host.unit()
        for due in await self._due(ROUTED_AT_ONCE):
            result = await self._result(_ask(sink, unit, due))
            if not result.ok:
                next_at = self._in(DELAYS[min(due.tries, 1)])
                failed = due, Outcome(False, self._in(0), 0, result.record, PENDING, next_at)
                break
            done.append(due)
            found += [(due.event, Lane(sink.name, target)) for target in result.record["targets"]]
        async with self.unit.write() as write:
            await outbox.route(write.tx, self.lane, self.token, done, found, self._in(LEASE))
            if failed:
                await outbox.settle(write.tx, self.lane, failed[0], self.token, failed[1], self._in(LEASE))
        return bool(done) and not failed

    async def _due(self, most: int) -> list[Due]:
        return await outbox.find_due(self.unit.db, self.lane, self._in(0), most)

    def _in(self, seconds: float) -> int:
        """The moment in so many seconds from now."""
        return self.unit.host.clock.now() + round(seconds * SECOND)

    async def _result(self, act: Awaitable[Result]) -> Result:
        """What a sink's attempt came to; whatever else happens to it is a failure."""
        try:
            async with asyncio.timeout(PATIENCE):
                result = await act
            if not isinstance(result, Result):
                raise TypeError(f"the sink gave {result!r}, which is no Result")
        except Exception as error:
            log.exception("event sink failed", extra=self.lane._asdict())
            return Result(ok=False, record={"error": f"{type(error).__name__}: {error}"})
        return result


async def _named(
    sink: EventSink, unit: UnitOfWork, events: Sequence[Occurrence], *, is_behind: bool
) -> list[tuple[Occurrence, Lane]]:
    """Each event with the lanes of those whom the sink wants told of it.

    From the first event on for which it can't say that, they go to the sink's own lane, in which it is asked again and
    others need not wait for it; and so does all that comes after them.
    """
    found: list[tuple[Occurrence, Lane]] = []
    said = 0
    if isinstance(sink, RoutingSink) and not is_behind:
        try:
            async with asyncio.timeout(ASKED):
                for event in events:
                    targets = dict.fromkeys(await sink.targets(unit, event))
                    found += [(event, Lane(sink.name, target)) for target in targets]
                    said += 1
        except Exception:
            log.exception("event sink could not name targets", extra={"sink": sink.name})
    return found + [(event, Lane(sink.name, NO_TARGET)) for event in events[said:]]


async def _ask(sink: RoutingSink, unit: UnitOfWork, due: Due) -> Result:
    return Result(ok=True, record={"targets": [*dict.fromkeys(await sink.targets(unit, due.event))]})


def _delay(tries: int, asked: float | None) -> float | None:
    """Seconds until the next attempt; None where there is none any more."""
    if tries >= len(DELAYS):
        return None
    delay = DELAYS[tries] * random.uniform(1 - JITTER, 1 + JITTER)  # noqa: S311 - nobody gains by guessing it.
    return max(delay, min(asked or 0.0, LONGEST_WAIT))


def _why_pause(result: Result, failing_since: int | None, now: int) -> str:
    if result.pause:
        return "the receiver wants nothing any more"
    if failing_since is not None and now - failing_since >= GIVE_UP * SECOND:
        return "nothing but failures for five days"
    return ""


DISPATCH = Job("host.events", LOOK, dispatch, scope="process", at_start=True)
