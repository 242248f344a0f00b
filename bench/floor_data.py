"""The floors' own table: rows of the shape and size of the service's post record."""

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
from psycopg import sql

from cms_posts.demo import make_posts

TABLE = "floor_posts"
PAGE = 20

#: The post record (spec, Post record; contract, Posts), `editorial` as its four parts.
COLUMNS: dict[str, str] = {
    "id": "bigint primary key",
    "title": "text",
    "slug": "text",
    "status": "text",
    "type": "text",
    "excerpt": "text",
    "content": "text",
    "featured_image": "text",
    "author_id": "bigint",
    "author_name": "text",
    "reading_time": "bigint",
    "view_count": "bigint",
    "published_at": "text",
    "created_at": "text",
    "updated_at": "text",
    "content_modified_at": "text",
    "reviewed_at": "text",
    "review_valid": "bigint",
    "ai_disclosure": "text",
    "original_notes": "text",
    "sources": "text",
    "ymyl": "bigint",
    "scheduled_at": "text",
    "visibility": "text",
    "comment_status": "text",
    "is_featured": "bigint",
}
NAMES = tuple(COLUMNS)
_TYPES = {"sqlite": {"bigint primary key": "integer primary key", "bigint": "integer"}, "postgresql": {}}
_EPOCH = datetime(2025, 1, 1, tzinfo=UTC)

Row = tuple[int | str | None, ...]


def rows(count: int) -> Iterator[Row]:
    """Yield `count` rows in the order of `NAMES`, ids 1 to `count`, one minute apart.

    They are the posts of `cms-host demo`: text that is not ASCII takes a database driver several times as long to
    decode, so the floors must read the same text as the service.
    """
    for number, (post, _) in enumerate(make_posts(count, 1, 0), start=1):
        moment = _EPOCH + timedelta(minutes=number)
        shown = moment.strftime("%Y-%m-%d %H:%M:%S")
        yield (
            *(number, post.title, post.slug, "published", "post", post.excerpt, post.content, post.featured_image),
            *(1, "Bench Editor", 3, 0, shown, shown, shown, moment.isoformat(timespec="microseconds")),
            *(None, 1, None, None, "[]", 0, None, "public", "open", 0),
        )


def columns_ddl(dialect: str) -> str:
    """Return the column definitions of the table for `sqlite` or `postgresql`."""
    types = _TYPES[dialect]
    return ", ".join(f"{name} {types.get(kind, kind)}" for name, kind in COLUMNS.items())


def fill_sqlite(path: Path, count: int) -> None:
    """Make the table anew in the SQLite file `path`, in WAL mode as the service's, with `count` rows."""
    connection = sqlite3.connect(path)
    try:
        connection.execute("pragma journal_mode=wal")
        connection.execute(f"drop table if exists {TABLE}")
        connection.execute(f"create table {TABLE} ({columns_ddl('sqlite')})")
        marks = ", ".join("?" for _ in NAMES)
        insert = f"insert into {TABLE} values ({marks})"  # noqa: S608 - a constant and question marks.
        connection.executemany(insert, rows(count))
        connection.commit()
    finally:
        connection.close()


def fill_postgresql(url: str, count: int) -> None:
    """Make the table anew in the PostgreSQL database `url` with `count` rows."""
    table = sql.Identifier(TABLE)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(sql.SQL("drop table if exists {}").format(table))
        connection.execute(sql.SQL("create table {} ({})").format(table, sql.SQL(columns_ddl("postgresql"))))
        with connection.cursor().copy(sql.SQL("copy {} from stdin").format(table)) as copy:
            for row in rows(count):
                copy.write_row(row)
        connection.execute(sql.SQL("analyze {}").format(table))
