"""Queries: values in, rows out, the same on SQLite and on PostgreSQL."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import literal, select

from cms_host.db import Database, DatabaseUnavailable, Query, make_database, postgresql

from .conftest import ADD, BY_NAME, NAMES, PUT, RENAME, SCANNED, Name, Thing, add, things


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"made_at": 253_402_300_799_999_999, "good": True, "extra": {"a": [1, 2.5, None, "ş"], "b": {}}},
        {"made_at": -1, "good": False, "extra": []},
        {"extra": "İstanbul 😀"},
        {"extra": 0},
    ],
)
async def test_values_come_back_as_they_were_given(db: Database, values: dict[str, Any]) -> None:
    async with db.transaction() as tx:
        number = await tx.value(ADD, name="x", **values)

    expected = {"made_at": None, "good": None, "extra": None, **values}
    found = await db.first(BY_NAME, name="x")
    assert found == Thing(id=number, name="x", **expected)
    assert type(found.good) is type(expected["good"])


async def test_the_largest_id_fits(db: Database) -> None:
    async with db.transaction() as tx:
        await tx.execute(PUT, id=2**63 - 1, name="last")

    assert (await db.first(BY_NAME, name="last")).id == 2**63 - 1


async def test_rows_are_of_the_query_s_class(db: Database) -> None:
    await add(db, "a", "b")

    assert await db.all(NAMES) == [Name("a"), Name("b")]
    assert all(type(row) is Name for row in await db.all(NAMES))


async def test_rows_without_a_class_are_tuples(db: Database) -> None:
    await add(db, "a")

    assert await db.all(SCANNED) == [("a",)]


async def test_first_and_value_of_nothing_are_none(db: Database) -> None:
    assert await db.all(BY_NAME, name="nobody") == []
    assert await db.first(BY_NAME, name="nobody") is None
    assert await db.value(BY_NAME, name="nobody") is None


def test_a_row_class_that_does_not_fit_is_refused_when_the_query_is_made() -> None:
    with pytest.raises(TypeError, match="the statement the columns"):
        Query(select(things.c.id, things.c.name), Name)


async def test_a_missing_value_is_an_error(db: Database) -> None:
    with pytest.raises(KeyError, match="name"):
        await db.all(BY_NAME)


async def test_each_dialect_may_have_its_own_statement(db: Database) -> None:
    query = Query({name: select(literal(name).label("it")) for name in ("sqlite", "postgresql")})

    assert await db.value(query) == db.dialect


async def test_execute_tells_how_many_rows_changed(db: Database) -> None:
    await add(db, "a")

    async with db.transaction() as tx:
        assert await tx.execute(RENAME, old="a", new="b") == 1
        assert await tx.execute(RENAME, old="a", new="c") == 0


async def test_execute_many_runs_once_for_each_row(db: Database) -> None:
    async with db.transaction() as tx:
        await tx.execute_many(PUT, ({"id": number, "name": f"n{number}"} for number in range(1, 4)))

    assert await db.all(NAMES) == [("n1",), ("n2",), ("n3",)]


async def test_ids_are_not_used_again(db: Database) -> None:
    delete = Query(things.delete())
    (first,) = await add(db, "a")
    async with db.transaction() as tx:
        await tx.execute(delete)

    assert (await add(db, "b"))[0] > first


async def test_a_postgresql_that_does_not_answer_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgresql, "PATIENCE", 0.5)
    database = make_database(f"postgresql://postgres@/x?host={tmp_path}")

    with pytest.raises(DatabaseUnavailable, match="PostgreSQL does not answer"):
        await database.open()


async def test_a_sqlite_file_that_can_not_be_opened_is_named(tmp_path: Path) -> None:
    database = make_database(f"sqlite:///{tmp_path}")

    with pytest.raises(DatabaseUnavailable, match=str(tmp_path)):
        await database.open()


def test_another_kind_of_database_is_refused() -> None:
    with pytest.raises(ValueError, match="must be sqlite:///PATH or postgresql://"):
        make_database("mysql://localhost/cms")
