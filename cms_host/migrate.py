"""Brings the database to what the installed plugins expect: one Alembic history and version table for each.

Alembic takes most of a second to import, so that is left until there is something to apply.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import Connection, Engine, NullPool, String, column, create_engine, func, inspect, select, table
from sqlalchemy.exc import DBAPIError

from cms_host.db.postgresql import lock_key
from cms_host.db.sqlite import make_file
from cms_host.histories import History, MigrationError, Step, find_histories, in_order

__all__ = ["MigrationError", "migrate", "pending"]
#: Seconds that a start waits for another one that is migrating the same SQLite file.
PATIENCE = 120.0


def migrate(url: str, points: Sequence[EntryPoint] | None = None) -> list[str]:
    """Apply what is missing, in one transaction and one process at a time; gives `owner/file` of each step.

    :param points: the plugins whose histories count; by default all that are installed, switched on or not.
    :raises MigrationError: a history is broken, a step fails, or the database can't be used.
    """
    histories = find_histories(points)
    engine = sync_engine(url)
    try:
        with engine.connect() as connection:
            if not any(_missing(connection, histories)):
                return []
        with engine.begin() as connection:
            _lock(connection)
            return _apply(connection, in_order(histories))
    except (DBAPIError, OSError) as error:
        raise MigrationError(f"the database can't be used: {getattr(error, 'orig', error)}") from error


def pending(url: str, points: Sequence[EntryPoint] | None = None) -> list[str]:
    """What :func:`migrate` would apply.

    :raises MigrationError: a history is broken, or the database can't be used.
    """
    histories = in_order(find_histories(points))
    engine = sync_engine(url)
    try:
        with engine.connect() as connection:
            missing = zip(histories, _missing(connection, histories), strict=True)
            return [f"{history.owner}/{step.name}" for history, steps in missing for step in steps]
    except (DBAPIError, OSError) as error:
        raise MigrationError(f"the database can't be used: {getattr(error, 'orig', error)}") from error


def sync_engine(url: str) -> Engine:
    if url.startswith("sqlite:///"):
        path = Path(url.removeprefix("sqlite:///"))
        return create_engine("sqlite://", creator=lambda: _open_file(path), poolclass=NullPool)
    # A long migration, or the wait for another one, is no fault: the statement time limit of requests is not set.
    return create_engine(
        "postgresql+psycopg://", creator=lambda: psycopg.connect(url, connect_timeout=5), poolclass=NullPool
    )


def _open_file(path: Path) -> sqlite3.Connection:
    make_file(path)
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    # Who opens the file to work with it waits for a second at the most: too short for a switch while another process
    # migrates. Here, whoever is first makes it, and the others wait.
    connection.execute("PRAGMA journal_mode=WAL")
    # Alembic's batch mode replaces tables; with foreign keys on that would empty the tables that refer to them.
    connection.execute("PRAGMA foreign_keys=OFF")
    return connection


def _lock(connection: Connection) -> None:
    """Let one process in at a time, until the transaction ends."""
    if connection.dialect.name == "sqlite":
        # Without it sqlite3 would commit each table as it is made, and a failure would leave half of them.
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        connection.execute(select(func.pg_advisory_xact_lock(lock_key("migrate"))))


def _missing(connection: Connection, histories: Iterable[History]) -> Iterator[tuple[Step, ...]]:
    tables = set(inspect(connection).get_table_names())
    for history in histories:
        yield history.after(_revision(connection, history) if history.version_table in tables else None)


def _revision(connection: Connection, history: History) -> str | None:
    versions = select(column("version_num", String)).select_from(table(history.version_table))
    revisions = connection.scalars(versions).all()
    if len(revisions) > 1:
        raise MigrationError(f"{history.owner}: the table {history.version_table} names several revisions")
    return revisions[0] if revisions else None


def _apply(connection: Connection, histories: Sequence[History]) -> list[str]:
    applied: list[str] = []
    for history, steps in zip(histories, _missing(connection, histories), strict=True):
        if steps:
            applied += _upgrade(connection, history, steps)
    if applied and connection.dialect.name == "sqlite":
        _check_references(connection)
    return applied


def _upgrade(connection: Connection, history: History, steps: Sequence[Step]) -> list[str]:
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext
    from alembic.runtime.migration import MigrationStep
    from alembic.script import ScriptDirectory

    script = ScriptDirectory(str(history.folder), version_locations=[str(history.folder)])
    done: list[str] = []

    def to_do(_current: Any, _context: Any) -> list[Any]:
        revisions = [script.get_revision(step.revision) for step in steps]
        return [MigrationStep.upgrade_from_script(script.revision_map, each) for each in revisions if each]

    def note(*_: Any, **__: Any) -> None:
        done.append(f"{history.owner}/{steps[len(done)].name}")

    with EnvironmentContext(Config(), script, fn=to_do) as environment:
        environment.configure(connection, version_table=history.version_table, on_version_apply=note)
        try:
            environment.run_migrations()
        except Exception as error:
            failed = steps[len(done)].name
            raise MigrationError(f"{history.owner}/{failed} failed, nothing was changed: {error}") from error
    return done


def _check_references(connection: Connection) -> None:
    """Foreign keys were off while the steps ran; SQLite tells which rows now refer to nothing."""
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    if broken:
        tables = ", ".join(sorted({f"{row[0]} to {row[2]}" for row in broken}))
        raise MigrationError(f"the migrations would leave rows that refer to nothing: {tables}; nothing was changed")
