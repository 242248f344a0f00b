"""Queries and transactions, the same on SQLite and on PostgreSQL."""

import asyncio
from typing import Any, NamedTuple

import pytest
from sqlalchemy import Column, Table, Text, bindparam, func, literal, select, update

from cms_host.db import (
    DatabaseUnavailable,
    Flag,
    Id,
    Instant,
    Json,
    Query,
    insert,
    make_database,
    new_metadata,
)  # fmt: skip
from cms_host.db.postgresql import PostgresDatabase
from cms_host.migrate import sync_engine

metadata = new_metadata()
things = Table(
    "things",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("made_at", Instant),
    Column("good", Flag),
    Column("extra", Json),
    sqlite_autoincrement=True,
)


class Thing(NamedTuple):
    id: int
    name: str
    made_at: int | None
    good: bool | None
    extra: Any


class Name(NamedTuple):
    name: str


ADD = Query(
    insert(things)
    .values(
        name=bindparam("name"),
        made_at=bindparam("made_at", None, type_=Instant),
        good=bindparam("good", None, type_=Flag),
        extra=bindparam("extra", None, type_=Json),
    )
    .returning(things.c.id)
)
PUT = Query(
    insert(things)
    .values(id=bindparam("id"), name=bindparam("name"))
    .on_conflict_do_update(index_elements=["id"], set_={"name": bindparam("name")})
)
BY_NAME = Query(select(things).where(things.c.name == bindparam("name")), Thing)
NAMES = Query(select(things.c.name).order_by(things.c.id), Name)
SCANNED = Query(select(things.c.name).where(things.c.name.like("%")).order_by(things.c.id), scans=True)
COUNT = Query(select(func.count().label("n")).select_from(things))
RENAME = Query(update(things).where(things.c.name == bindparam("old")).values(name=bindparam("new")))


@pytest.fixture
async def db(database_url):
    engine = sync_engine(database_url)
    with engine.begin() as connection:
        metadata.create_all(connection)
    database = make_database(database_url)
    await database.open()
    yield database
    await database.close()


async def add(db, *names):
    async with db.transaction() as tx:
        return [await tx.value(ADD, name=name) for name in names]


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
async def test_values_come_back_as_they_were_given(db, values):
    async with db.transaction() as tx:
        number = await tx.value(ADD, name="x", **values)

    expected = {"made_at": None, "good": None, "extra": None, **values}
    found = await db.first(BY_NAME, name="x")
    assert found == Thing(id=number, name="x", **expected)
    assert type(found.good) is type(expected["good"])


async def test_the_largest_id_fits(db):
    async with db.transaction() as tx:
        await tx.execute(PUT, id=2**63 - 1, name="last")

    assert (await db.first(BY_NAME, name="last")).id == 2**63 - 1


async def test_rows_are_of_the_query_s_class(db):
    await add(db, "a", "b")

    assert await db.all(NAMES) == [Name("a"), Name("b")]
    assert all(type(row) is Name for row in await db.all(NAMES))


async def test_rows_without_a_class_are_tuples(db):
    await add(db, "a")

    assert await db.all(SCANNED) == [("a",)]


async def test_first_and_value_of_nothing_are_none(db):
    assert await db.all(BY_NAME, name="nobody") == []
    assert await db.first(BY_NAME, name="nobody") is None
    assert await db.value(BY_NAME, name="nobody") is None


def test_a_row_class_that_does_not_fit_is_refused_when_the_query_is_made():
    with pytest.raises(TypeError, match="the statement the columns"):
        Query(select(things.c.id, things.c.name), Name)


async def test_a_missing_value_is_an_error(db):
    with pytest.raises(KeyError, match="name"):
        await db.all(BY_NAME)


async def test_each_dialect_may_have_its_own_statement(db):
    query = Query({name: select(literal(name).label("it")) for name in ("sqlite", "postgresql")})

    assert await db.value(query) == db.dialect


async def test_execute_tells_how_many_rows_changed(db):
    await add(db, "a")

    async with db.transaction() as tx:
        assert await tx.execute(RENAME, old="a", new="b") == 1
        assert await tx.execute(RENAME, old="a", new="c") == 0


async def test_execute_many_runs_once_for_each_row(db):
    async with db.transaction() as tx:
        await tx.execute_many(PUT, ({"id": number, "name": f"n{number}"} for number in range(1, 4)))

    assert await db.all(NAMES) == [("n1",), ("n2",), ("n3",)]


async def test_ids_are_not_used_again(db):
    delete = Query(things.delete())
    (first,) = await add(db, "a")
    async with db.transaction() as tx:
        await tx.execute(delete)

    assert (await add(db, "b"))[0] > first


async def test_a_transaction_sees_its_own_writes_and_others_do_not(db):
    async with db.transaction() as tx:
        await tx.value(ADD, name="a")

        assert await tx.value(COUNT) == 1
        assert await tx.all(SCANNED) == [("a",)]
        assert await db.value(COUNT) == 0
        assert await db.all(SCANNED) == []

    assert await db.value(COUNT) == 1
    assert await db.all(SCANNED) == [("a",)]


async def test_an_exception_leaves_nothing(db):
    with pytest.raises(ZeroDivisionError):
        async with db.transaction() as tx:
            await tx.value(ADD, name="a")
            raise ZeroDivisionError

    assert await db.value(COUNT) == 0
    await add(db, "b")
    assert await db.all(NAMES) == [("b",)]


async def test_a_failed_statement_leaves_nothing(db):
    await add(db, "a")

    with pytest.raises(Exception, match=r"(?i)unique"):
        await add(db, "b", "a")

    assert await db.all(NAMES) == [("a",)]
    await add(db, "c")


async def test_a_cancelled_transaction_leaves_nothing(db):
    written = asyncio.Event()

    async def write_and_wait():
        async with db.transaction() as tx:
            await tx.value(ADD, name="a")
            written.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(write_and_wait())
    await written.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert await db.value(COUNT) == 0
    await add(db, "b")


@pytest.mark.parametrize("turns", range(6))
async def test_a_transaction_may_be_cancelled_at_any_moment(db, turns):
    async def write():
        async with db.transaction("lock") as tx:
            await tx.value(ADD, name="a")

    task = asyncio.create_task(write())
    for _ in range(turns):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])

    before = await db.value(COUNT)
    async with asyncio.timeout(5):
        await add(db, "b")
    assert await db.value(COUNT) == before + 1


async def test_transactions_wait_for_each_other_and_none_fails(db):
    async def count_up(number):
        async with db.transaction("count") as tx:
            seen = await tx.value(COUNT)
            await asyncio.sleep(0)
            await tx.value(ADD, name=f"after {seen}")

    # More than the pool of PostgreSQL has connections.
    async with asyncio.timeout(20):
        await asyncio.gather(*(count_up(number) for number in range(12)))

    assert await db.all(NAMES) == [(f"after {number}",) for number in range(12)]


async def test_a_named_lock_holds_over_two_hosts(db, database_url):
    other = make_database(database_url)
    await other.open()
    order = []
    inside = asyncio.Event()

    async def first():
        async with db.transaction("gate") as tx:
            inside.set()
            await tx.value(ADD, name="a")
            await asyncio.sleep(0.1)
            order.append("first leaves")

    async def second():
        await inside.wait()
        async with other.transaction("gate") as tx:
            order.append(f"second sees {await tx.value(COUNT)}")

    async with asyncio.timeout(10):
        await asyncio.gather(first(), second())
    await other.close()

    assert order == ["first leaves", "second sees 1"]


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_locks_of_other_names_do_not_wait_on_postgresql(db):
    async with asyncio.timeout(5), db.transaction("one"), db.transaction("two") as tx:
        await tx.value(ADD, name="a")


async def test_a_postgresql_that_does_not_answer_is_named(tmp_path):
    database = PostgresDatabase(f"postgresql://postgres@/x?host={tmp_path}", patience=0.5)

    with pytest.raises(DatabaseUnavailable, match="PostgreSQL does not answer"):
        await database.open()


async def test_a_sqlite_file_that_can_not_be_opened_is_named(tmp_path):
    database = make_database(f"sqlite:///{tmp_path}")

    with pytest.raises(DatabaseUnavailable, match=str(tmp_path)):
        await database.open()


def test_another_kind_of_database_is_refused():
    with pytest.raises(ValueError, match="must be sqlite:///PATH or postgresql://"):
        make_database("mysql://localhost/cms")
