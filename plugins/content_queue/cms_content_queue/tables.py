"""The table of queued articles."""

from sqlalchemy import Column, Index, Table, Text

from cms_host.api import Ascii, Flag, Id, Instant, Json, new_metadata

metadata = new_metadata()

items = Table(
    "queue_items",
    metadata,
    Column("id", Id, primary_key=True),
    Column("status", Ascii, nullable=False),
    Column("title", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("format", Ascii, nullable=False),
    Column("created_at", Instant, nullable=False),
    #: Of the file's bytes, SHA-256 in hex: no file is queued twice as it is.
    Column("digest", Ascii, nullable=False, unique=True),
    #: A username or an e-mail address; empty where the file names nobody.
    Column("author", Text, nullable=False),
    #: When the file says that it appears.
    Column("dated_at", Instant),
    #: Whether the file calls itself a draft.
    Column("is_draft", Flag, nullable=False),
    #: Fields of a post's body that the front matter gives, by their names.
    Column("fields", Json, nullable=False),
    #: What else the front matter says, by its own keys.
    Column("unknown", Json, nullable=False),
    Column("content", Text, nullable=False),
    #: When it was approved or rejected, and the post that it became; None while it waits.
    Column("decided_at", Instant),
    Column("post_id", Id),
    sqlite_autoincrement=True,
)
Index("ix_queue_items_status", items.c.status, items.c.id)
Index("ix_queue_items_source", items.c.source, items.c.status)
_decided = items.c.decided_at.is_not(None)
Index("ix_queue_items_decided", items.c.decided_at, sqlite_where=_decided, postgresql_where=_decided)
