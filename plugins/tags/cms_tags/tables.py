"""The table of tags. Which posts carry them is known to the posts plugin."""

from sqlalchemy import Column, Table, Text

from cms_host.api import Ascii, Id, Instant, new_metadata

metadata = new_metadata()

tags = Table(
    "tags",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", Text, nullable=False),
    #: `fold(name)`: two names that fold alike are one tag.
    Column("folded_name", Text, nullable=False, unique=True),
    Column("slug", Ascii, nullable=False, unique=True),
    Column("created_at", Instant, nullable=False),
    sqlite_autoincrement=True,
)
