"""The database, called fast: Core expressions compiled once and run on the driver (sqlite3, psycopg 3)."""

# PostgreSQL's INSERT renders its ON CONFLICT clause for SQLite too; the reverse does not hold.
from sqlalchemy.dialects.postgresql import insert

from cms_host.db.connection import Asked, BrokenReference, Database, DatabaseUnavailable, Reader, Transaction
from cms_host.db.one_of import containing, like_all, one_of
from cms_host.db.postgresql import PostgresDatabase
from cms_host.db.query import Query
from cms_host.db.sqlite import SqliteDatabase
from cms_host.db.types import Ascii, Flag, Id, Instant, Json, new_metadata

__all__ = [
    "Ascii", "Asked", "BrokenReference",
    "Database", "DatabaseUnavailable", "Flag", "Id", "Instant", "Json", "Query", "Reader", "Transaction",
    "containing", "insert", "like_all", "make_database", "new_metadata", "one_of",
]  # fmt: skip


def make_database(url: str, pool_size: int = 10) -> Database:
    """The database that a URL names (`sqlite:///path` or `postgresql://...`); not connected yet.

    :raises ValueError: another kind of URL.
    """
    if url.startswith("sqlite:///"):
        return SqliteDatabase(url)
    if url.startswith(("postgresql://", "postgres://")):
        return PostgresDatabase(url, pool_size)
    raise ValueError(f"database_url begins with {url.split(':')[0]!r}; it must be sqlite:///PATH or postgresql://...")
