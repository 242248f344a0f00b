"""The table of categories. Which posts are in them is known to the posts plugin."""

from sqlalchemy import Column, Index, Table, Text

from cms_host.api import Ascii, Id, Instant, new_metadata

metadata = new_metadata()

categories = Table(
    "categories",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", Text, nullable=False),
    #: `fold(name)`: what a name is found by.
    Column("folded_name", Text, nullable=False),
    Column("slug", Ascii, nullable=False, unique=True),
    Column("description", Text, nullable=False),
    Column("parent_id", Id),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    sqlite_autoincrement=True,
)
Index("ix_categories_parent", categories.c.parent_id)
Index("ix_categories_folded_name", categories.c.folded_name)
