"""Lists of posts: one statement for a page and its exact total, compiled once for each kind of list."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple, cast

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Select,
    UnaryExpression,
    bindparam,
    func,
    literal_column,
    null,
    select,
    true,
)

from cms_host.api import Id, Paging, Query, Reader, Terms
from cms_posts import search
from cms_posts.filters import LeftFirst, Source, Viewer, conditions, rows_of, source_of, unindexed
from cms_posts.listed import Listed, columns
from cms_posts.post import PUBLISHED
from cms_posts.tables import posts
from cms_posts.totals import is_kept, total
from cms_users.api import authors

_COLUMN_ORDERS = ("id", "created_at", "updated_at", "published_at", "title", "view_count", "status")
#: Spec, GET /posts: order_by.
ORDERS = (*_COLUMN_ORDERS, "author_name")
#: Filters that leave an index in the order of creation, or in that of ids.
_BY_DATE = frozenset({"status", "type", "author_id", "featured", "category", "tag", "date_from", "date_to"})
_BY_ID = frozenset({"status", "category", "tag"})
#: Filters that may leave nearly everything.
_WEAK = frozenset({"status", "statuses", "type"})
#: Rows to skip at which finding the ids alone first costs less than reading the records on the way.
FAR = 100
#: Rows to skip that would hold up other requests.
VERY_FAR = 20_000
#: Lengths of pages that are written into the statement where they begin the list. PostgreSQL makes one plan for all
#: executions only if it knows how little is wanted; otherwise planning takes longer than executing.
WRITTEN_OUT = frozenset({10, 20, 50, 100})
#: Filters whose values make no difference to the plan.
_ALIKE = frozenset({"category", "tag"})
Cursor = Literal["after_id", "before_id"]


class Wanted(NamedTuple):
    """One list as asked for: which posts, in which order, which page of them, and what of each."""

    #: Values by names of `cms_posts.filters.FILTERS`.
    filters: Mapping[str, Any]
    paging: Paging
    search: Terms = Terms()
    order_by: str = "created_at"
    ascending: bool = False
    #: Names of `cms_posts.listed.FIELDS`; None for all that need no second statement.
    fields: tuple[str, ...] | None = None
    with_relations: bool = False
    with_total: bool = True
    #: Instead of a page: what comes next above or below an id.
    cursor: Cursor | None = None
    cursor_id: int = 0


class Found(NamedTuple):
    """A page of posts, and how many there are in all, unless that was not wanted."""

    posts: Sequence[Listed]
    total: int | None


class Shape(NamedTuple):
    """What makes two lists one statement with other values."""

    dialect: str
    viewer: Viewer
    filters: frozenset[str]
    trash: bool
    order_by: str
    ascending: bool
    fields: frozenset[str] | None
    with_total: bool
    cursor: Cursor | None
    #: Rows of the page, where the statement itself says it.
    limit: int | None
    far: bool
    very_far: bool

    @property
    def searches(self) -> bool:
        return not self.filters.isdisjoint(("words", "letters"))

    @property
    def in_order(self) -> bool:
        """Whether an index has the matching rows in the order that is asked for."""
        if self.order_by in ("created_at", "id"):
            return self.filters <= (_BY_ID if self.order_by == "id" else _BY_DATE)
        return self.order_by != "author_name" and not self.filters

    @property
    def looks_at_all(self) -> bool:
        """Whether all matching rows are looked at to find the page, so that they can be counted on the way."""
        return not (self.in_order or self.cursor or is_kept(self.filters))

    @property
    def author_by_author(self) -> bool:
        """Whether the page can be put together from the first posts of each author."""
        by_name = self.order_by == "author_name" and source_of(self.filters, self.dialect).rows is posts
        return self.dialect == "postgresql" and by_name and not self.looks_at_all

    @property
    def scans(self) -> bool:
        """Whether more than a bounded number of rows may be looked at."""
        if not self.filters.isdisjoint(("ids", "slug")):
            return self.searches
        # Of two filters an index may serve one alone; and what is hidden from the viewer is passed over row by row.
        plain = self.viewer == "editor" or (self.viewer == "reader" and self.order_by in ("created_at", "id"))
        counts = self.with_total and not is_kept(self.filters)
        return self.very_far or counts or not (self.in_order and plain and len(self.filters) <= 1)


async def find_page(db: Reader, wanted: Wanted, viewer: Viewer, viewer_id: int) -> Found:
    """The posts of one page that the viewer may see."""
    shape = _shape(db.dialect, wanted, viewer)
    terms = search.values(wanted.search, db.dialect) if shape.searches else {}
    values = {**wanted.filters, **terms, "viewer_id": viewer_id, "cursor_id": wanted.cursor_id}
    offset = 0 if wanted.cursor else wanted.paging.offset
    rows = await db.all(_page(shape), limit=wanted.paging.per_page, offset=offset, **values)
    if wanted.cursor and wanted.ascending != shape.ascending:
        rows.reverse()
    if rows or not wanted.with_total:
        return Found(rows, rows[0].total if rows else None)
    return Found([], await db.value(_total(shape), **values) if offset or wanted.cursor else 0)


def _shape(dialect: str, wanted: Wanted, viewer: Viewer) -> Shape:
    filters = frozenset(wanted.filters) | {name for name, terms in wanted.search._asdict().items() if terms}
    if viewer == "reader" and wanted.filters.get("status") == PUBLISHED:
        filters -= {"status"}  # It goes without saying, and then has the index of the default order.
    asked = (wanted.filters.get("status"), *wanted.filters.get("statuses", ()))
    length, offset = wanted.paging.per_page, 0 if wanted.cursor else wanted.paging.offset
    return Shape(
        dialect=dialect,
        viewer=viewer,
        filters=filters,
        trash="trash" in asked,
        order_by=wanted.order_by,
        # What is next to the cursor, whichever way round it is shown.
        ascending=wanted.cursor == "after_id" if wanted.cursor else wanted.ascending,
        fields=None if wanted.fields is None else frozenset(wanted.fields),
        with_total=wanted.with_total,
        cursor=wanted.cursor,
        limit=length if length in WRITTEN_OUT and not offset and filters <= _ALIKE and viewer != "author" else None,
        far=offset >= FAR,
        very_far=offset >= VERY_FAR,
    )


@lru_cache(maxsize=1024)
def _page(shape: Shape) -> Query[Listed]:
    source = source_of(shape.filters, shape.dialect)
    matching = list(conditions(source, shape.filters, shape.viewer, shape.dialect, trash=shape.trash))
    if shape.cursor:
        at = bindparam("cursor_id", type_=Id)
        matching.append(source.id > at if shape.cursor == "after_id" else source.id < at)
    find = _in_order if shape.in_order and not shape.far else _ids_first
    return Query({shape.dialect: find(shape, source, matching)}, Listed, scans=shape.scans)


@lru_cache(maxsize=1024)
def _total(shape: Shape) -> Query[tuple[Any, ...]]:
    return Query({shape.dialect: select(_total_of(shape).label("total"))}, scans=shape.scans)


def _total_of(shape: Shape) -> ColumnElement[Any]:
    if not shape.with_total:
        return null()
    return total(shape.filters, shape.viewer, shape.dialect, trash=shape.trash)


def _in_order(shape: Shape, source: Source, matching: list[ColumnElement[bool]]) -> Select[Any]:
    """The first rows of an index, as they come."""
    statement = _records(shape, source.rows, _total_of(shape)).where(*matching)
    return _slice(statement, shape, _order(shape, source), source.id)


def _ids_first(shape: Shape, source: Source, matching: list[ColumnElement[bool]]) -> Select[Any]:
    """The ids of the page out of what may be many rows, and then the records of these alone."""
    rows = rows_of(source, shape.filters, shape.viewer, shape.order_by)
    order = _order(shape, source)
    if shape.author_by_author:
        return _of_one_author_after_the_other(shape, matching)
    if shape.order_by == "author_name":
        on = authors.c.id == posts.c.author_id
        rows = LeftFirst(authors, posts, on) if rows is posts else rows.join(authors, on)
    elif not (shape.in_order or shape.filters <= _WEAK):
        # Sorting what the filters leave is bounded by it; along the order there may be no end to what they do not.
        order = unindexed(shape.dialect, order)
    number = _total_of(shape)
    if shape.with_total and shape.looks_at_all:
        number = func.count().over()
    chosen = select(source.id.label("id"), order.label("sort"), number.label("total")).select_from(rows)
    return _records_of(shape, _slice(chosen.where(*matching), shape, order, source.id))


def _of_one_author_after_the_other(shape: Shape, matching: list[ColumnElement[bool]]) -> Select[Any]:
    """As many posts of each author as the page can need. PostgreSQL would sort everybody's otherwise."""
    own = select(posts.c.id).where(*matching, posts.c.author_id == authors.c.id).order_by(_directed(shape, posts.c.id))
    needed = _limit(shape) if shape.limit else _limit(shape) + bindparam("offset", type_=Id)
    first = own.limit(needed).correlate(authors).lateral("first")
    chosen = select(first.c.id, authors.c.name.label("sort"), _total_of(shape).label("total"))
    return _records_of(
        shape, _slice(chosen.select_from(authors.join(first, true())), shape, authors.c.name, first.c.id)
    )


def _records_of(shape: Shape, chosen: Select[Any]) -> Select[Any]:
    """The records of the chosen ids, in the same order."""
    page = chosen.subquery("chosen")
    joined = page.join(posts, posts.c.id == page.c.id)
    return _records(shape, joined, page.c.total).order_by(*_sorted(shape, page.c.sort, page.c.id))


def _records(shape: Shape, rows: FromClause, number: ColumnElement[Any]) -> Select[Any]:
    guarded = {
        "editor": None,
        "author": posts.c.author_id != bindparam("viewer_id"),
        "reader": true(),
    }[shape.viewer]
    if shape.fields is None or "author_name" in shape.fields:
        rows = rows.outerjoin(authors, authors.c.id == posts.c.author_id)
    return select(*columns(shape.fields, guarded), number.label("total")).select_from(rows)


def _slice(statement: Select[Any], shape: Shape, order: ColumnElement[Any], by_id: ColumnElement[Any]) -> Select[Any]:
    ordered = statement.order_by(*_sorted(shape, order, by_id))
    limited = ordered.limit(_limit(shape))
    return limited if shape.limit else limited.offset(bindparam("offset", type_=Id))


def _limit(shape: Shape) -> ColumnElement[Any]:
    return literal_column(str(shape.limit)) if shape.limit else bindparam("limit", type_=Id)


def _order(shape: Shape, source: Source) -> ColumnElement[Any]:
    if shape.order_by == "author_name":
        return cast("ColumnElement[Any]", authors.c.name)
    return source.id if shape.order_by == "id" else source.column(shape.order_by)


def _sorted(shape: Shape, order: ColumnElement[Any], by_id: ColumnElement[Any]) -> list[UnaryExpression[Any]]:
    """The order, and among equals that of ids."""
    first = _directed(shape, order)
    if shape.order_by == "published_at":
        # What was never published comes before everything; the databases disagree about it.
        first = first.nulls_first() if shape.ascending else first.nulls_last()
    return [first, *([] if shape.order_by == "id" else [_directed(shape, by_id)])]


def _directed(shape: Shape, column: ColumnElement[Any]) -> UnaryExpression[Any]:
    return column.asc() if shape.ascending else column.desc()
