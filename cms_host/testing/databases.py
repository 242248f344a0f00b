"""Fresh, migrated databases for tests, each a copy of a template that is made once per test process."""

import shutil
import sqlite3
from contextlib import closing
from functools import cached_property
from itertools import count
from pathlib import Path

from cms_host.testing.postgresql import Cluster


class Databases:
    """Makes databases of both kinds."""

    KINDS = ("sqlite", "postgresql")

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._number = count(1)
        self._cluster: Cluster | None = None
        self._unwanted: list[str] = []

    def make(self, kind: str, *, migrated: bool = True) -> str:
        """The URL of a new database, with or without the tables of everything that is installed."""
        name = f"test_{next(self._number)}"
        return self._make_file(name, migrated) if kind == "sqlite" else self._make_remote(name, migrated)

    def discard(self, url: str) -> None:
        """The database is no longer needed."""
        if url.startswith("sqlite"):
            path = url.removeprefix("sqlite:///")
            for suffix in ("", "-wal", "-shm", "-turn"):
                Path(path + suffix).unlink(missing_ok=True)
        else:
            # Dropped at the next turn: by then its connections are gone, and PostgreSQL need not wait for them.
            self._unwanted.append(url)

    def close(self) -> None:
        """Stop whatever was started."""
        if self._cluster is not None:
            self._cluster.stop()

    def _make_file(self, name: str, migrated: bool) -> str:
        path = self._folder / f"{name}.sqlite3"
        if migrated:
            shutil.copyfile(self._sqlite_template, path)
        return f"sqlite:///{path}"

    def _make_remote(self, name: str, migrated: bool) -> str:
        template = self._postgresql_template if migrated else "template0"
        while self._unwanted:
            old = self._unwanted.pop().partition("?")[0].rpartition("/")[2]
            self._administer(f"DROP DATABASE {old} WITH (FORCE)")
        self._administer(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
        return self._server.url(name)

    @property
    def _server(self) -> Cluster:
        if self._cluster is None:
            self._cluster = Cluster()
        return self._cluster

    @cached_property
    def _sqlite_template(self) -> Path:
        from cms_host.migrate import migrate

        path = self._folder / "template.sqlite3"
        migrate(f"sqlite:///{path}")
        with closing(sqlite3.connect(path)) as connection:
            # The copies need not be switched over, which is slow.
            connection.execute("PRAGMA journal_mode=WAL")
        return path

    @cached_property
    def _postgresql_template(self) -> str:
        from cms_host.migrate import migrate

        self._administer("CREATE DATABASE migrated")
        migrate(self._server.url("migrated"))
        return "migrated"

    def _administer(self, statement: str) -> None:
        import psycopg

        with psycopg.connect(self._server.url("postgres"), autocommit=True) as connection:
            connection.execute(statement.encode())
