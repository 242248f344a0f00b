"""What must hold between the tables of posts whatever was done to them: each copy equals what it is a copy of."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, Row, Table, column, select, table

from cms_categories.tables import categories
from cms_host.migrate import sync_engine
from cms_posts.tables import (
    category_counts,
    category_links,
    counts,
    outlines,
    posts,
    slugs,
    tag_counts,
    tag_links,
)


def broken_invariants(url: str) -> list[str]:
    """What does not agree in the database, in words."""
    with sync_engine(url).connect() as connection:
        return [
            *_miscounted(connection, posts, counts),
            *_miscounted(connection, category_links, category_counts),
            *_miscounted(connection, tag_links, tag_counts),
            *_out_of_step(connection, category_links),
            *_out_of_step(connection, tag_links),
            *_unlisted_by_parents(connection),
            *_without_slug(connection),
            *_without_outline(connection),
            *_without_index(connection),
        ]


def _rows(connection: Connection, table: Table) -> list[Row[Any]]:
    return list(connection.execute(select(table)).all())


def _miscounted(connection: Connection, counted: Table, kept: Table) -> Iterator[str]:
    """Kept numbers of rows, against the rows."""
    names = [each.name for each in kept.primary_key.columns if each.name != "slot"]
    rows = Counter(tuple(getattr(row, name) for name in names) for row in _rows(connection, counted))
    sums: Counter[tuple[Any, ...]] = Counter()
    for row in _rows(connection, kept):
        sums[tuple(getattr(row, name) for name in names)] += row.n
    for key in rows.keys() | sums.keys():
        if rows[key] != sums[key]:
            yield f"{kept.name} counts {sums[key]} of {rows[key]} rows: {dict(zip(names, key, strict=True))}"


def _out_of_step(connection: Connection, links: Table) -> Iterator[str]:
    """What a link repeats of its post, against the post."""
    by_id = {row.id: row for row in _rows(connection, posts)}
    for link in _rows(connection, links):
        post = by_id.get(link.post_id)
        for name in ("type", "status", "visibility", "created_at"):
            if post is None or getattr(post, name) != getattr(link, name):
                yield f"{links.name}: {name} of {link} is not that of {post and post.id}"


def _unlisted_by_parents(connection: Connection) -> Iterator[str]:
    """A category lists its own posts and those of its direct children, each once, and no others."""
    parents = {row.id: row.parent_id for row in _rows(connection, categories)}
    links = _rows(connection, category_links)
    direct = {(row.category_id, row.post_id) for row in links if row.direct}
    expected = direct | {(parents[term], post) for term, post in direct if parents.get(term) is not None}
    for pair in expected ^ {(row.category_id, row.post_id) for row in links}:
        yield f"post_categories: category and post {pair} {'is missing' if pair in expected else 'is too much'}"


def _without_slug(connection: Connection) -> Iterator[str]:
    """Every post has its slug claimed, and no other that counts."""
    own = {(row.id, row.slug) for row in _rows(connection, posts)}
    claimed = {(row.post_id, row.slug) for row in _rows(connection, slugs) if row.current}
    for post_id, slug in own ^ claimed:
        yield f"post_slugs: {slug} of {post_id}"


def _without_outline(connection: Connection) -> Iterator[str]:
    for post_id in {row.id for row in _rows(connection, posts)} ^ {row.post_id for row in _rows(connection, outlines)}:
        yield f"post_outlines: {post_id}"


def _without_index(connection: Connection) -> Iterator[str]:
    """Every post can be found by a search, and nothing else can."""
    key = "rowid" if connection.dialect.name == "sqlite" else "post_id"
    indexed = set(connection.scalars(select(column(key)).select_from(table("post_search"))))
    for post_id in {row.id for row in _rows(connection, posts)} ^ indexed:
        yield f"post_search: {post_id}"
