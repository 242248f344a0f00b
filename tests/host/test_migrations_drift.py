"""What each `tables.py` says is what its migrations make, on both databases."""

import importlib
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, Inspector, MetaData, Table, column, inspect, select, table

from cms_host import idempotency, jobs, settings
from cms_host.histories import HOST, History, find_histories
from cms_host.migrate import sync_engine
from cms_host.testing import Databases

HISTORIES = {history.owner: history for history in find_histories()}


def tables_of(history: History) -> list[MetaData]:
    if history.owner == HOST:
        return [settings.metadata, jobs.metadata, idempotency.metadata]
    return [importlib.import_module(f"{history.folder.parent.name}.tables").metadata]


@pytest.fixture(scope="module", params=Databases.KINDS)
def engine(request: pytest.FixtureRequest, databases: Databases) -> Iterator[Engine]:
    url = databases.make(request.param)
    yield sync_engine(url)
    databases.discard(url)


@pytest.mark.parametrize("owner", HISTORIES)
def test_the_migrations_make_what_the_tables_say(engine: Engine, owner: str) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.runtime.migration import MigrationContext

    declared = tables_of(HISTORIES[owner])
    names = {name for metadata in declared for name in metadata.tables}

    def is_ours(name: str | None, kind: str, parents: Any) -> bool:
        return kind != "table" or name in names

    def counts(item: Any, name: str | None, kind: str, reflected: bool, compared: Any) -> bool:
        # References to neighbours are made by migrations alone: the neighbour may not be installed.
        return not (kind == "foreign_key_constraint" and reflected and compared is None)

    with engine.connect() as connection:
        options = {"include_name": is_ours, "include_object": counts, "compare_type": True}
        context = MigrationContext.configure(connection, opts=options)

        assert compare_metadata(context, declared) == []
        assert [found for each in all_tables(declared) for found in unlike(connection, each)] == []


def all_tables(declared: list[MetaData]) -> list[Table]:
    return [each for metadata in declared for each in metadata.sorted_tables]


def unlike(connection: Connection, made: Table) -> Iterator[str]:
    """What alembic does not compare: primary keys, partial indexes, and on SQLite whether ids are used again."""
    inspector = inspect(connection)
    key = inspector.get_pk_constraint(made.name)["constrained_columns"]
    if key != [column.name for column in made.primary_key]:
        yield f"{made.name}: the primary key is {key}"
    yield from unlike_indexes(inspector, made, connection.dialect.name)
    if connection.dialect.name == "sqlite":
        wanted = bool(made.dialect_options["sqlite"]["autoincrement"])
        if ("AUTOINCREMENT" in sqlite_text(connection, made)) != wanted:
            yield f"{made.name}: sqlite_autoincrement is not {wanted}"


def sqlite_text(connection: Connection, made: Table) -> str:
    master = table("sqlite_master", column("name"), column("sql"))
    return connection.execute(select(master.c.sql).where(master.c.name == made.name)).scalar_one()


def unlike_indexes(inspector: Inspector, made: Table, dialect: str) -> Iterator[str]:
    found = {index["name"]: index for index in inspector.get_indexes(made.name)}
    for index in made.indexes:
        partial = f"{dialect}_where" in found[str(index.name)].get("dialect_options", {})
        if partial != (index.dialect_options[dialect]["where"] is not None):
            yield f"{index.name}: one is partial, the other is not"


def test_every_history_belongs_to_a_package_that_declares_its_tables() -> None:
    for history in HISTORIES.values():
        assert all_tables(tables_of(history)), history.owner


def test_no_two_plugins_declare_a_table_of_the_same_name() -> None:
    names = [each.name for history in HISTORIES.values() for each in all_tables(tables_of(history))]

    assert len(names) == len(set(names))
