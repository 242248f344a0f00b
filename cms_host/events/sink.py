"""Who is told of events."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from cms_host.events.outbox import Occurrence
from cms_host.services import UnitOfWork


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one attempt to deliver."""

    ok: bool
    #: Seconds after which the receiver wants to be asked again; an hour at the most is heeded.
    retry_after: float | None = None
    #: The target wants nothing any more: it is paused until somebody resumes it.
    pause: bool = False
    #: What the log keeps of the attempt, as JSON: what was sent and answered, and what went wrong.
    record: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Delivery:
    """One event on its way to one target."""

    #: A UUID, the same for every attempt.
    id: str
    target: str
    #: Counted from 1.
    attempt: int
    event: Occurrence


class EventSink(Protocol):
    """Delivers events to where they are wanted. Any number of hosts may call it at the same time."""

    #: Unique; what its rows in the outbox carry.
    name: str

    async def deliver(self, unit: UnitOfWork, delivery: Delivery) -> Result:
        """Try once to bring an event to a target.

        What it raises, and being late, is a failed attempt, which is tried again as any other.
        """


@runtime_checkable
class RoutingSink(EventSink, Protocol):
    """A sink that has any number of targets, each of which has a lane of its own."""

    async def targets(self, unit: UnitOfWork, event: Occurrence) -> Sequence[str]:
        """Who is to be told of the event; asked after it was committed, for one event after the other.

        :param unit: of these questions alone: what it remembers for one event serves the next ones too.
        """
