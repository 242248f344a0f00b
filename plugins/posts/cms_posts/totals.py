"""How many posts a list has in all: kept numbers where its filters allow, otherwise the rows that an index leaves."""

from typing import Any

from sqlalchemy import ColumnElement, FromClause, ScalarSelect, Table, cast, func, literal_column, select

from cms_host.api import Id
from cms_posts.filters import (
    FILTERS,
    LeftFirst,
    Source,
    Viewer,
    category_id,
    conditions,
    hidden_own,
    rows_of,
    source_of,
    tag_id,
)
from cms_posts.tables import category_counts, counts, posts, tag_counts

#: Filters that every table of kept numbers knows.
_KEPT = frozenset({"status", "statuses", "type"})


def is_kept(filters: frozenset[str]) -> bool:
    """Whether the total of a list with these filters is kept."""
    return filters <= _KEPT | {"category"} or filters <= _KEPT | {"tag"}


def total(filters: frozenset[str], viewer: Viewer, dialect: str, *, trash: bool) -> ColumnElement[Any]:
    """The exact number of posts in the list."""
    source = source_of(filters, dialect)
    if not is_kept(filters):
        rows = rows_of(source, filters, viewer, "id")
        return _counted(rows, *conditions(source, filters, viewer, dialect, trash=trash))
    if viewer != "author":
        return _kept(filters, viewer, dialect, trash=trash)
    # What is hidden of one author's posts is little, and has an index of its own.
    mine = posts if source.alone is posts else LeftFirst(posts, source.alone, posts.c.id == source.id)
    own = conditions(source, filters, "editor", dialect, trash=trash)
    return _kept(filters, "reader", dialect, trash=trash) + _counted(mine, hidden_own(), *own)


def _counted(rows: FromClause, *wanted: ColumnElement[bool]) -> ScalarSelect[int]:
    return select(func.count()).select_from(rows).where(*wanted).scalar_subquery()


def _kept(filters: frozenset[str], viewer: Viewer, dialect: str, *, trash: bool) -> ScalarSelect[int]:
    table = _table(filters)
    kept = Source(literal_column("0"), {each.key: each for each in table.c}, table, table)
    wanted = [FILTERS[name](kept, dialect) for name in sorted(filters & _KEPT)]
    if "category" in filters:
        wanted.append(table.c.category_id == category_id())
    elif "tag" in filters:
        wanted.append(table.c.tag_id == tag_id())
    if not trash:
        wanted.append(table.c.status != literal_column("'trash'"))
    if viewer == "reader":
        wanted += [table.c.status == literal_column("'published'"), table.c.visibility != literal_column("'private'")]
    return select(cast(func.coalesce(func.sum(table.c.n), 0), Id)).where(*wanted).scalar_subquery()


def _table(filters: frozenset[str]) -> Table:
    if "category" in filters:
        return category_counts
    return tag_counts if "tag" in filters else counts
