"""The tables of media. Accounts are a neighbour of the same floor, so nothing refers to them."""

from sqlalchemy import Column, ForeignKey, Index, Integer, Table, Text

from cms_host.api import Ascii, Id, Instant, new_metadata

metadata = new_metadata()

media = Table(
    "media",
    metadata,
    Column("id", Id, primary_key=True),
    #: Of the original.
    Column("path", Ascii, nullable=False, unique=True),
    Column("avif", Ascii, nullable=False),
    Column("webp", Ascii, nullable=False),
    Column("mime_type", Ascii, nullable=False),
    Column("width", Integer, nullable=False),
    Column("height", Integer, nullable=False),
    Column("size", Id, nullable=False),
    Column("sha256", Ascii, nullable=False),
    Column("title", Text, nullable=False),
    Column("alt", Text, nullable=False),
    #: What a search looks at, folded: title and alternative text.
    Column("searched", Text, nullable=False),
    Column("author_id", Id, nullable=False),
    Column("created_at", Instant, nullable=False),
    sqlite_autoincrement=True,
)
Index("ix_media_created", media.c.created_at, media.c.id)
Index("ix_media_type", media.c.mime_type, media.c.created_at, media.c.id)
Index("ix_media_author", media.c.author_id, media.c.created_at, media.c.id)

#: Every file that anybody may ask for: a file without a row here is not shown, and deleted in time.
files = Table(
    "media_files",
    metadata,
    Column("path", Ascii, primary_key=True),
    Column("media_id", Id, ForeignKey(media.c.id, ondelete="CASCADE"), nullable=False, index=True),
    Column("mime_type", Ascii, nullable=False),
)
