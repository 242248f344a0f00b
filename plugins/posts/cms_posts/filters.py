"""What the filters of a list mean in SQL, and who may see what."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Join,
    ScalarSelect,
    Table,
    UnaryExpression,
    and_,
    bindparam,
    literal_column,
    select,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.operators import custom_op

from cms_categories.api import categories
from cms_host.api import one_of
from cms_posts import search
from cms_posts.tables import category_links, hidden, not_trashed, posts, slugs, tag_links
from cms_posts.visible import Looked, Viewer, read_by, seen_by
from cms_tags.api import tags

#: Filters that look at nothing but a source's own columns, or have none.
_OWN = frozenset({"status", "statuses", "type", "category", "tag", "date_from", "date_to"})


class Source(NamedTuple):
    """Where a list comes from: the smallest thing that one of its filters leaves."""

    #: The posts' ids, and what else is read without looking at the post.
    id: ColumnElement[int]
    own: Mapping[str, ColumnElement[Any]]
    alone: FromClause
    #: Joined with posts.
    rows: FromClause

    def column(self, name: str) -> ColumnElement[Any]:
        """A column of the posts, where it is nearest."""
        return self.own.get(name, posts.c[name])


class LeftFirst(Join):
    """A join whose left side SQLite takes first, whatever its planner thinks of it."""

    inherit_cache = True


@compiles(LeftFirst, "sqlite")
def _left_first(join: Join, compiler: Any, **options: Any) -> str:
    left, right = (compiler.process(each, **options | {"asfrom": True}) for each in (join.left, join.right))
    return f"{left} CROSS JOIN {right} ON {compiler.process(join.onclause, **options | {'from_linter': None})}"


def unindexed(dialect: str, column: ColumnElement[Any]) -> ColumnElement[Any]:
    """The column, but for SQLite's planner one that no index knows. PostgreSQL's has statistics to decide by."""
    return UnaryExpression(column, operator=custom_op("+")) if dialect == "sqlite" else column


_POSTS = Source(posts.c.id, {}, posts, posts)
_FTS5 = Source(search.fts5.c.rowid, {}, search.fts5, LeftFirst(search.fts5, posts, posts.c.id == search.fts5.c.rowid))
_SEARCHABLE = Source(
    search.searchable.c.post_id,
    {},
    search.searchable,
    LeftFirst(search.searchable, posts, posts.c.id == search.searchable.c.post_id),
)


def _filed(links: Table) -> Source:
    own = {name: links.c[name] for name in ("type", "status", "visibility", "created_at")}
    return Source(links.c.post_id, own, links, links.join(posts, posts.c.id == links.c.post_id))


_IN_CATEGORY, _WITH_TAG = _filed(category_links), _filed(tag_links)


def source_of(filters: frozenset[str], dialect: str) -> Source:
    """The source of a list with these filters."""
    if "words" in filters or "letters" in filters:
        return _FTS5 if dialect == "sqlite" else _SEARCHABLE
    if "category" in filters:
        return _IN_CATEGORY
    return _WITH_TAG if "tag" in filters else _POSTS


def rows_of(source: Source, filters: frozenset[str], viewer: Viewer, order_by: str) -> FromClause:
    """The rows that tell which posts are in the list and in which order, with the posts where that takes them."""
    alone = filters <= _OWN and viewer != "author" and order_by in ("created_at", "id")
    return source.alone if alone else source.rows


def category_id() -> ScalarSelect[Any]:
    """The id of the category with the slug `category`."""
    return select(categories.c.id).where(categories.c.slug == bindparam("category")).scalar_subquery()


def tag_id() -> ScalarSelect[Any]:
    """The id of the tag with the slug `tag`."""
    return select(tags.c.id).where(tags.c.slug == bindparam("tag")).scalar_subquery()


def _in_category(source: Source, dialect: str) -> ColumnElement[bool]:
    mine = category_links.c.category_id == category_id()
    if source is _IN_CATEGORY:
        return mine
    return source.id.in_(select(category_links.c.post_id).where(mine))


def _with_tag(source: Source, dialect: str) -> ColumnElement[bool]:
    mine = tag_links.c.tag_id == tag_id()
    return mine if source is _WITH_TAG else source.id.in_(select(tag_links.c.post_id).where(mine))


def _in_categories(source: Source, dialect: str) -> ColumnElement[bool]:
    named = select(categories.c.id).where(one_of(categories.c.slug, "categories")[dialect])
    return source.id.in_(select(category_links.c.post_id).where(category_links.c.category_id.in_(named)))


def _with_tags(source: Source, dialect: str) -> ColumnElement[bool]:
    named = select(tags.c.id).where(one_of(tags.c.slug, "tags")[dialect])
    return source.id.in_(select(tag_links.c.post_id).where(tag_links.c.tag_id.in_(named)))


def _with_slug(source: Source, dialect: str) -> ColumnElement[bool]:
    """By a slug that the post has, or had and that is free."""
    found = select(slugs.c.post_id).where(slugs.c.slug == bindparam("slug")).scalar_subquery()
    return source.id == found


#: The names of filters; those in the plural take several values, any of which will do.
FILTERS: Mapping[str, Callable[[Source, str], ColumnElement[bool]]] = {
    "status": lambda source, _: source.column("status") == bindparam("status"),
    # Along the order that is asked for: an index has each status by itself, so that all of them had to be sorted.
    "statuses": lambda source, dialect: one_of(unindexed(dialect, source.column("status")), "statuses")[dialect],
    "type": lambda source, _: source.column("type") == bindparam("type"),
    "category": _in_category,
    "categories": _in_categories,
    "tag": _with_tag,
    "tags": _with_tags,
    "author_id": lambda source, _: source.column("author_id") == bindparam("author_id"),
    "featured": lambda source, _: source.column("is_featured"),
    "date_from": lambda source, _: source.column("created_at") >= bindparam("date_from"),
    "date_to": lambda source, _: source.column("created_at") <= bindparam("date_to"),
    "updated_before": lambda source, _: source.column("updated_at") < bindparam("updated_before"),
    "updated_after": lambda source, _: source.column("updated_at") > bindparam("updated_after"),
    "content_modified_after": (
        lambda source, _: source.column("content_modified_at") > bindparam("content_modified_after")
    ),
    "ids": lambda source, dialect: one_of(source.id, "ids")[dialect],
    "slug": _with_slug,
}


def conditions(
    source: Source, filters: frozenset[str], viewer: Viewer, dialect: str, *, trash: bool
) -> Iterator[ColumnElement[bool]]:
    """What a post must be to be in the list.

    :param trash: whether the trash was asked for.
    """
    searched = {"words", "letters"} & filters
    yield from search.matches(dialect, words="words" in searched, letters="letters" in searched)
    yield from (FILTERS[name](source, dialect) for name in sorted(filters - searched))
    if not trash:
        yield not_trashed if source is _POSTS else source.column("status") != literal_column("'trash'")
    yield from _shown_to(source, viewer, dialect, searched=bool(searched))


def _shown_to(source: Source, viewer: Viewer, dialect: str, *, searched: bool) -> Iterator[ColumnElement[bool]]:
    """Contract 4. What a password guards is found by nobody whom it keeps out: hits would tell its text."""
    if viewer == "editor":
        return
    # Nearly everything is published: an index of it would only keep those of the order from being used.
    status, author_id = (unindexed(dialect, each) for each in (source.column("status"), posts.c.author_id))
    yield (read_by if searched else seen_by)(viewer, Looked(status, source.column("visibility"), author_id))


def hidden_own() -> ColumnElement[bool]:
    """What an author sees of the own posts and others don't."""
    return and_(posts.c.author_id == bindparam("viewer_id"), hidden)
