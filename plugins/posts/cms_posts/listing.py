"""Lists of posts: one statement for a page and its exact total, compiled once for each combination of filters."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from sqlalchemy import ColumnElement, ScalarSelect, and_, bindparam, cast, func, literal_column, or_, select, true

from cms_host.api import Id, Paging, Query, Reader
from cms_posts.post import Post
from cms_posts.store import AUTHOR_NAME, POST
from cms_posts.tables import counts, not_trashed, posts

#: Who looks: editors at everything, authors at what is published and their own, others at what is published.
Viewer = Literal["editor", "author", "reader"]
_COLUMN_ORDERS = ("id", "created_at", "updated_at", "published_at", "title", "view_count", "status")
ORDERS: Mapping[str, ColumnElement[Any]] = {
    **{
        name: posts.c[name]
        for name in ("id", "created_at", "updated_at", "published_at", "title", "view_count", "status")
    },
    "author_name": AUTHOR_NAME,
}
FILTERS: Mapping[str, ColumnElement[bool]] = {
    "status": posts.c.status == bindparam("status"),
    "type": posts.c.type == bindparam("type"),
    "author_id": posts.c.author_id == bindparam("author_id"),
    "featured": posts.c.is_featured,
    "date_from": posts.c.created_at >= bindparam("date_from"),
    "date_to": posts.c.created_at <= bindparam("date_to"),
    "updated_before": posts.c.updated_at < bindparam("updated_before"),
}
#: Written into the SQL, so that the planner can tell that a partial index fits.
_PUBLISHED, _PRIVATE, _TRASH = (literal_column(f"'{word}'") for word in ("published", "private", "trash"))
#: Filters that the kept counts know; with any other, rows are counted.
COUNTED = frozenset({"status", "type"})


class Shape(NamedTuple):
    """What makes two lists one statement with other values."""

    viewer: Viewer
    filters: frozenset[str]
    order_by: str
    ascending: bool


class Wanted(NamedTuple):
    """One list as asked for: which posts, in which order, which page of them."""

    filters: Mapping[str, Any]
    paging: Paging
    order_by: str = "created_at"
    ascending: bool = False


class Found(NamedTuple):
    """A page of posts, and how many there are in all."""

    posts: Sequence[Post]
    total: int


async def find_page(db: Reader, wanted: Wanted, viewer: Viewer, viewer_id: int) -> Found:
    """The posts of one page that the viewer may see."""
    shape = Shape(viewer, frozenset(wanted.filters), wanted.order_by, wanted.ascending)
    values = {**wanted.filters, "viewer_id": viewer_id}
    limit, offset = wanted.paging.per_page, wanted.paging.offset
    rows = await db.all(_page(shape), limit=limit, offset=offset, **values)
    if rows:
        return Found([Post._make(row[:-1]) for row in rows], rows[0][-1])
    return Found([], await db.value(_total(shape), **values) if offset else 0)


@lru_cache(maxsize=512)
def _page(shape: Shape) -> Query[tuple[Any, ...]]:
    column = ORDERS[shape.order_by]
    order = column.asc() if shape.ascending else column.desc()
    if getattr(column, "nullable", False):
        # The databases disagree where nulls go; an index serves this order only if it is declared the same.
        order = order.nulls_first() if shape.ascending else order.nulls_last()
    by_id = posts.c.id.asc() if shape.ascending else posts.c.id.desc()
    statement = POST.add_columns(_count(shape).label("total")).where(_visible(shape)).order_by(order, by_id)
    limited = statement.limit(bindparam("limit", type_=Id)).offset(bindparam("offset", type_=Id))
    return Query(limited, scans=_scans(shape))


@lru_cache(maxsize=512)
def _total(shape: Shape) -> Query[tuple[Any, ...]]:
    return Query(select(_count(shape).label("total")), scans=_scans(shape))


def _scans(shape: Shape) -> bool:
    return not (shape.viewer != "author" and shape.filters <= COUNTED and shape.order_by in ("id", "created_at"))


def _visible(shape: Shape) -> ColumnElement[bool]:
    conditions = [FILTERS[name] for name in sorted(shape.filters)]
    if "status" not in shape.filters:
        conditions.append(not_trashed)
    return and_(*conditions, _shown_to(shape.viewer))


def _shown_to(viewer: Viewer) -> ColumnElement[bool]:
    public = and_(posts.c.status == _PUBLISHED, posts.c.visibility != _PRIVATE)
    if viewer == "author":
        return or_(public, posts.c.author_id == bindparam("viewer_id"))
    return public if viewer == "reader" else true()


def _count(shape: Shape) -> ScalarSelect[int]:
    if shape.viewer == "author" or not shape.filters <= COUNTED:
        return select(func.count()).select_from(posts).where(_visible(shape)).scalar_subquery()
    conditions = [counts.c[name] == bindparam(name) for name in sorted(shape.filters)]
    if "status" not in shape.filters:
        conditions.append(counts.c.status != _TRASH)
    if shape.viewer == "reader":
        conditions += [
            counts.c.status == literal_column("'published'"),
            counts.c.visibility != literal_column("'private'"),
        ]
    return select(cast(func.coalesce(func.sum(counts.c.n), 0), Id)).where(*conditions).scalar_subquery()
