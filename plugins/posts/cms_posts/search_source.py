"""Posts and pages for the site's search: what is published and open to everybody, by how well it fits."""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Float,
    Select,
    Text,
    bindparam,
    case,
    cast,
    func,
    literal_column,
    select,
    type_coerce,
)
from sqlalchemy.dialects.postgresql import TSQUERY
from sqlalchemy.types import NullType

from cms_host.api import Hit, Host, Id, Query, Rank, Ranking, Reader, SearchSource, Sought, like_all, one_of
from cms_posts.addresses import permalink
from cms_posts.covered import WithOpen
from cms_posts.filters import Source, source_of
from cms_posts.search import fts5, matches, searchable, values
from cms_posts.tables import is_open, outlines, posts

#: How much more a word of the title counts than one of the text. PostgreSQL has its own weights: 1 and 0.1.
TITLE_WEIGHT = 10.0
#: Scores where there is no word to rank by: with everything in the title, and otherwise.
IN_TITLE, IN_TEXT = 0.5, 0.25
#: `rank / (rank + 1)` (PostgreSQL, ts_rank).
_NORMALISED = 32


class _Shape(NamedTuple):
    """What makes two searches one statement with other values."""

    dialect: str
    words: bool
    letters: bool
    typed: bool


class _Ranked(NamedTuple):
    id: int
    score: float
    total: int


class _Shown(NamedTuple):
    id: int
    type: str
    title: str
    slug: str
    text: str


_SHOW = Query(
    {
        dialect: select(posts.c.id, posts.c.type, posts.c.title, posts.c.slug, outlines.c.text)
        .join_from(posts, outlines, outlines.c.post_id == posts.c.id)
        .where(condition, is_open)
        for dialect, condition in one_of(posts.c.id, "ids").items()
    },
    _Shown,
)


class PostSearch(SearchSource):
    """Provides posts and pages to `/search`."""

    name = "posts"
    types: Collection[str] = ("page", "post")

    def __init__(self, host: Host) -> None:
        self._host = host

    async def rank(self, db: Reader, sought: Sought, limit: int, offset: int) -> Ranking:
        shape = _Shape(db.dialect, bool(sought.terms.words), bool(sought.terms.letters), sought.type is not None)
        wanted = {**values(sought.terms, db.dialect, sought.begun), "type": sought.type}
        rows = await db.all(_page(shape), limit=limit, offset=offset, **wanted)
        if rows or not offset:
            return Ranking([Rank(row.id, row.score) for row in rows], rows[0].total if rows else 0)
        return Ranking([], await db.value(_total(shape), **wanted))

    async def show(self, db: Reader, ids: Sequence[int]) -> Mapping[int, Hit]:
        rows = await db.all(_SHOW, ids=ids)
        return {row.id: Hit(row.type, row.title, row.slug, permalink(self._host, row), row.text) for row in rows}


@lru_cache(maxsize=16)
def _page(shape: _Shape) -> Query[_Ranked]:
    source = _source(shape)
    # Of no type that SQLAlchemy would convert: both drivers give a float.
    columns = (
        source.id.label("id"),
        type_coerce(_score(shape), NullType()).label("score"),
        _counted(shape).label("total"),
    )
    statement = (
        _found(shape, *columns)
        .order_by(literal_column("score").desc(), source.id.desc())
        .limit(bindparam("limit", type_=Id))
        .offset(bindparam("offset", type_=Id))
    )
    return Query({shape.dialect: statement}, _Ranked, scans=True)


@lru_cache(maxsize=16)
def _total(shape: _Shape) -> Query[tuple[Any, ...]]:
    return Query({shape.dialect: select(_counted(shape).label("total"))}, scans=True)


def _source(shape: _Shape) -> Source:
    return source_of(frozenset({"words"}), shape.dialect)


def _counted(shape: _Shape) -> ColumnElement[int]:
    return _found(shape, func.count()).scalar_subquery()


def _found(shape: _Shape, *columns: ColumnElement[Any]) -> Select[Any]:
    """Everything that fits, out of the full-text table first."""
    conditions = list(matches(shape.dialect, words=shape.words, letters=shape.letters))
    if shape.typed:
        conditions.append(posts.c.type == bindparam("type"))
    source = _source(shape)
    return select(*columns).select_from(WithOpen(source.alone, source.id)).where(*conditions, is_open)


def _score(shape: _Shape) -> ColumnElement[float]:
    """Between 0 and 1; both databases give a relevance that has no upper bound."""
    if not shape.words:
        title = (fts5 if shape.dialect == "sqlite" else searchable).c.title
        return case((like_all(title, "letters")[shape.dialect], literal_column(f"{IN_TITLE}")), else_=IN_TEXT)
    if shape.dialect == "sqlite":
        # The better, the further below zero.
        relevance = -func.bm25(literal_column("post_search"), literal_column(f"{TITLE_WEIGHT}"), type_=Float)
        return relevance / (relevance + 1.0)
    query = cast(bindparam("words", type_=Text), TSQUERY)
    return cast(func.ts_rank(searchable.c.words, query, _NORMALISED), Float)
