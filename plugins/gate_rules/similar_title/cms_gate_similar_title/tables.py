"""The titles of published and scheduled posts, and the bands of their signatures."""

from sqlalchemy import Column, LargeBinary, Table, Text

from cms_host.api import Id, Instant, new_metadata

metadata = new_metadata()

titles = Table(
    "gate_similar_titles",
    metadata,
    Column("post_id", Id, primary_key=True, autoincrement=False),
    #: Of a scheduled post; None once it is published.
    Column("due_at", Instant),
    #: Tells which bands are this post's, so that they are found again without an index on their posts.
    Column("signature", LargeBinary, nullable=False),
    Column("folded_title", Text, nullable=False),
)
bands = Table(
    "gate_similar_title_bands",
    metadata,
    Column("key", Id, primary_key=True, autoincrement=False),
    Column("post_id", Id, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)
