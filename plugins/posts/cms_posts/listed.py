"""A post as a row of a list: its columns, and which of them the client's `fields` need."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import orjson
from sqlalchemy import ColumnElement, Integer, Text, and_, case, func, literal_column, null, type_coerce

from cms_posts.post import PROTECTED
from cms_posts.tables import posts
from cms_users.api import authors


class Listed(NamedTuple):
    """What a list reads of one post, as it comes from the driver. What is not asked for is None."""

    id: int
    title: str
    slug: str
    status: str
    type: str
    excerpt: str
    content: str
    featured_image: str
    author_id: int
    author_name: str
    reading_time: int
    view_count: int
    visibility: str
    comment_status: str
    is_featured: bool
    scheduled_at: int | None
    published_at: int | None
    created_at: int
    updated_at: int
    content_modified_at: int
    reviewed_at: int | None
    #: Whether it is as the gate last let it pass; None when that never happened. SQLite gives 0 and 1.
    approved: bool | None
    ai_disclosure: str | None
    original_notes: str | None
    #: JSON, as it is stored.
    sources_text: str | None
    ymyl: bool
    #: Of all pages; None where the client does not want it.
    total: int | None

    @property
    def review_valid(self) -> bool | None:
        """Spec, Post record."""
        return None if self.approved is None else bool(self.approved)

    @property
    def sources(self) -> list[str]:
        """The sources of the editorial object."""
        # Nearly always there are none.
        return [] if self.sources_text in (None, "[]") else orjson.loads(self.sources_text)


#: Fields of the record that are no column of the same name, and what they are made of.
_MADE_OF: Mapping[str, tuple[str, ...]] = {
    "review_valid": ("approved",),
    "scheduled_at": ("scheduled_at", "status"),
    "editorial": ("ai_disclosure", "original_notes", "sources_text", "ymyl"),
    "categories": (),
    "tags": (),
}
_COLUMNS = frozenset(Listed._fields) - {"total"}
#: What `fields` may name.
FIELDS = (_COLUMNS - set(_MADE_OF["review_valid"] + _MADE_OF["editorial"])) | _MADE_OF.keys()
#: Those that a second statement reads.
BESIDE = frozenset({"categories", "tags"})
#: As they are stored: a conversion would make another row of every row.
_AS_STORED: Mapping[str, ColumnElement[Any]] = {
    "is_featured": type_coerce(posts.c.is_featured, Integer),
    "ymyl": type_coerce(posts.c.ymyl, Integer),
    "approved": type_coerce(posts.c.approved_hash == posts.c.content_hash, Integer),
    "sources_text": type_coerce(posts.c.sources, Text),
    "author_name": func.coalesce(authors.c.name, ""),
}


def columns(fields: Iterable[str] | None, guarded: ColumnElement[bool] | None) -> list[ColumnElement[Any]]:
    """The columns of `Listed` but its total, those that no field needs as NULL.

    :param fields: names of `FIELDS`; None for all of them.
    :param guarded: whose texts a password guards against the viewer; None guards nothing.
    """
    needed = _COLUMNS if fields is None else {"id"}.union(*(_MADE_OF.get(name, (name,)) for name in fields))
    return [
        (_column(name, guarded) if name in needed else null()).label(name)
        for name in Listed._fields
        if name in _COLUMNS
    ]


def _column(name: str, guarded: ColumnElement[bool] | None) -> ColumnElement[Any]:
    column = _AS_STORED[name] if name in _AS_STORED else posts.c[name]
    if guarded is None or name not in ("content", "excerpt"):
        return column
    protected = and_(posts.c.visibility == literal_column(f"'{PROTECTED}'"), guarded)
    return case((protected, literal_column("''", Text)), else_=column)
