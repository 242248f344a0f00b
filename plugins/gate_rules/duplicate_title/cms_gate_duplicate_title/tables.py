"""The titles of published and scheduled posts, by what they fold to."""

from sqlalchemy import Column, Index, Table

from cms_host.api import Id, Instant, new_metadata

metadata = new_metadata()

titles = Table(
    "gate_duplicate_titles",
    metadata,
    Column("post_id", Id, primary_key=True, autoincrement=False),
    #: Of a scheduled post; None once it is published.
    Column("due_at", Instant),
    #: 63 bits of the folded title's hash: a title can be longer than what an index of PostgreSQL takes.
    Column("key", Id, nullable=False),
)
Index("ix_gate_duplicate_titles_key", titles.c.key, titles.c.post_id)
