"""Signatures of the texts of published and scheduled posts, and their bands. The texts themselves are the posts'."""

from sqlalchemy import Column, Integer, LargeBinary, Table

from cms_host.api import Id, Instant, new_metadata

metadata = new_metadata()

texts = Table(
    "gate_similar_contents",
    metadata,
    Column("post_id", Id, primary_key=True, autoincrement=False),
    #: Of a scheduled post; None once it is published.
    Column("due_at", Instant),
    #: Tells how alike two texts may be before one is read, and which bands are this post's.
    Column("signature", LargeBinary, nullable=False),
    #: Different shingles.
    Column("size", Integer, nullable=False),
)
bands = Table(
    "gate_similar_content_bands",
    metadata,
    Column("key", Id, primary_key=True, autoincrement=False),
    Column("post_id", Id, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)
