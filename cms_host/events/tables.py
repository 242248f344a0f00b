"""Events that happened, what is to be delivered of them to whom, and what was tried."""

from sqlalchemy import Column, Index, Integer, LargeBinary, Table, Text, literal_column

from cms_host.db import Ascii, Flag, Id, Instant, Json, new_metadata

metadata = new_metadata()

events = Table(
    "events",
    metadata,
    #: Grows in the order in which things happened.
    Column("number", Id, primary_key=True),
    #: A UUID.
    Column("id", Ascii, nullable=False, unique=True),
    Column("kind", Ascii, nullable=False),
    Column("created_at", Instant, nullable=False),
    #: The bytes that every target gets.
    Column("body", LargeBinary, nullable=False),
    #: Whether the sinks were asked who is to be told of it.
    Column("routed", Flag, nullable=False),
    sqlite_autoincrement=True,
)
Index("ix_events_created_at", events.c.created_at)
is_new = ~events.c.routed
Index("ix_events_new", events.c.number, sqlite_where=is_new, postgresql_where=is_new)

#: One event for one target of a sink. Without a target it waits for a routing sink that could not name any yet.
deliveries = Table(
    "event_deliveries",
    metadata,
    Column("number", Id, primary_key=True),
    #: A UUID, which receivers see.
    Column("id", Ascii, nullable=False, unique=True),
    Column("event_id", Ascii, nullable=False),
    Column("sink", Ascii, nullable=False),
    Column("target", Text, nullable=False),
    #: `pending`, `delivered`, `failed`.
    Column("status", Ascii, nullable=False),
    #: Attempts that were made.
    Column("tries", Integer, nullable=False),
    #: When the next attempt is due: 0 at first, so that what is new goes out in the order in which it happened.
    Column("due_at", Instant, nullable=False),
    Column("created_at", Instant, nullable=False),
    sqlite_autoincrement=True,
)
_pending = deliveries.c.status == literal_column("'pending'")
Index(
    "ix_event_deliveries_pending",
    deliveries.c.sink,
    deliveries.c.target,
    deliveries.c.due_at,
    deliveries.c.number,
    sqlite_where=_pending,
    postgresql_where=_pending,
)
Index("ix_event_deliveries_event", deliveries.c.event_id)
Index("ix_event_deliveries_created_at", deliveries.c.created_at)

#: One target of a sink, to which one process at a time delivers.
lanes = Table(
    "event_lanes",
    metadata,
    Column("sink", Ascii, primary_key=True),
    Column("target", Text, primary_key=True),
    #: Whose it is, and until when; empty where nobody is at it.
    Column("token", Ascii, nullable=False),
    Column("until", Instant, nullable=False),
    #: When it was paused, and why; None where it is open.
    Column("paused_at", Instant),
    Column("paused_why", Text, nullable=False),
    #: Since when there has been nothing but failures; None where the last attempt went well.
    Column("failing_since", Instant),
)

attempts = Table(
    "event_attempts",
    metadata,
    Column("number", Id, primary_key=True),
    Column("delivery", Id, nullable=False),
    Column("at", Instant, nullable=False),
    Column("ok", Flag, nullable=False),
    Column("milliseconds", Integer, nullable=False),
    Column("record", Json, nullable=False),
    sqlite_autoincrement=True,
)
Index("ix_event_attempts_delivery", attempts.c.delivery, attempts.c.number)
Index("ix_event_attempts_at", attempts.c.at)
