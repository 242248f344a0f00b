"""The table of comments. The migration refers to the table of posts."""

from sqlalchemy import Column, ForeignKeyConstraint, Index, Table, Text

from cms_host.api import Id, Instant, new_metadata

metadata = new_metadata()

comments = Table(
    "comments",
    metadata,
    Column("id", Id, primary_key=True),
    Column("post_id", Id, nullable=False),
    Column("parent_id", Id),
    Column("status", Text, nullable=False),
    Column("author_name", Text, nullable=False),
    Column("author_email", Text, nullable=False),
    Column("author_ip", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    #: Since when it has been in the trash, or spam; None for any other.
    Column("discarded_at", Instant),
    Column("content", Text, nullable=False),
    ForeignKeyConstraint(["parent_id"], ["comments.id"], name="fk_comments_parent_id"),
    sqlite_autoincrement=True,
)
#: Every list is read along one of the first three, which also hold all that tells whether a comment is in it.
Index("ix_comments_created", comments.c.created_at, comments.c.id, comments.c.status, comments.c.post_id)
Index("ix_comments_status", comments.c.status, comments.c.created_at, comments.c.id, comments.c.post_id)
Index("ix_comments_post", comments.c.post_id, comments.c.created_at, comments.c.id, comments.c.status)
_is_reply = comments.c.parent_id.is_not(None)
Index("ix_comments_parent", comments.c.parent_id, sqlite_where=_is_reply, postgresql_where=_is_reply)
_discarded = comments.c.discarded_at.is_not(None)
Index(
    "ix_comments_discarded",
    comments.c.discarded_at,
    comments.c.id,
    sqlite_where=_discarded,
    postgresql_where=_discarded,
)
