"""The tables of views. The counter of each post is the posts plugin's."""

from sqlalchemy import Column, Index, Integer, Table

from cms_host.api import Ascii, Id, Instant, new_metadata

metadata = new_metadata()

#: By the day of the site's calendar, as days since 1970-01-01, and by post; kept for a number of days.
view_days = Table(
    "view_days",
    metadata,
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("post_id", Id, primary_key=True, autoincrement=False),
    Column("n", Id, nullable=False),
    sqlite_with_rowid=False,
)

#: By the hour, as hours since the epoch, and by post; kept for a number of hours.
view_hours = Table(
    "view_hours",
    metadata,
    Column("hour", Integer, primary_key=True, autoincrement=False),
    Column("post_id", Id, primary_key=True, autoincrement=False),
    Column("n", Id, nullable=False),
    sqlite_with_rowid=False,
)

#: By the day, of all posts together, those that are gone since included; kept for good.
view_totals = Table(
    "view_totals",
    metadata,
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("n", Id, nullable=False),
)

#: Which batches of views are written: whoever can't tell of one may write it again, and it counts once.
view_batches = Table(
    "view_batches",
    metadata,
    Column("token", Ascii, primary_key=True),
    Column("written_at", Instant, nullable=False),
)
Index("ix_view_batches_written_at", view_batches.c.written_at)
