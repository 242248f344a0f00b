"""Where events are sent to."""

from sqlalchemy import Column, Table, Text

from cms_host.api import Flag, Id, Instant, Json, new_metadata

metadata = new_metadata()

entries = Table(
    "webhook_entries",
    metadata,
    Column("id", Id, primary_key=True),
    Column("url", Text, nullable=False),
    #: Kept readable, for it signs.
    Column("secret", Text, nullable=False),
    #: Kinds of events; none of them stands for all.
    Column("events", Json, nullable=False),
    #: The address may be one that is not public.
    Column("allow_private", Flag, nullable=False),
    Column("created_at", Instant, nullable=False),
    sqlite_autoincrement=True,
)
