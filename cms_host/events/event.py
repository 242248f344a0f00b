"""An event, and how it is written down."""

from dataclasses import dataclass, fields
from typing import Any, ClassVar
from uuid import uuid4

import orjson

from cms_host.events import outbox
from cms_host.moments import iso
from cms_host.services import UnitOfWork


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened. Subclasses are frozen dataclasses whose fields are the payload's, in order.

    A subclass is registered with the hook `cms_event_kinds`; its docstring says when it is emitted.
    """

    #: As receivers know it: `post_published`.
    kind: ClassVar[str]

    def data(self) -> dict[str, Any]:
        """The payload."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


class UnknownEvent(LookupError):
    """No plugin registered the class of this event."""


async def emit(unit: UnitOfWork, event: Event) -> None:
    """Write an event down, inside the transaction of the change that it tells of.

    No sink is asked anything now: whatever is wrong with one, the change is made and the event is kept.

    :raises UnknownEvent: its kind was never registered.
    """
    if unit.host.event_kinds.get(event.kind) is not type(event):
        raise UnknownEvent(f"no plugin registered {type(event).__qualname__} as {event.kind!r}")
    now, event_id = unit.host.clock.now(), str(uuid4())
    content = {"id": event_id, "event": event.kind, "created_at": iso(now, "UTC"), "data": event.data()}
    await outbox.add(unit.tx, outbox.Occurrence(event_id, event.kind, now, orjson.dumps(content)))
