"""Transactions: as a whole or not at all, one after the other where they share a lock."""

import asyncio
import sqlite3
import threading
from collections.abc import Awaitable, Callable
from operator import methodcaller
from typing import Any

import psycopg
import pytest
from sqlalchemy import literal, select

from cms_host.db import Database, Query, Transaction, make_database, sqlite
from cms_host.db.sqlite import change

from .conftest import ADD, COUNT, NAMES, RENAME, RENAME_ALL, SCANNED, add

ONE = Query(select(literal(1).label("one")))


async def test_a_transaction_sees_its_own_writes_and_others_do_not(db: Database) -> None:
    async with db.transaction() as tx:
        await tx.value(ADD, name="a")

        assert await tx.value(COUNT) == 1
        assert await tx.all(SCANNED) == [("a",)]
        assert await db.value(COUNT) == 0
        assert await db.all(SCANNED) == []

    assert await db.value(COUNT) == 1
    assert await db.all(SCANNED) == [("a",)]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_what_may_change_many_rows_is_run_off_the_loop(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    ran_in = []

    def listening(*arguments: Any) -> int:
        ran_in.append(threading.current_thread())
        return change(*arguments)

    monkeypatch.setattr(sqlite, "change", listening)
    await add(db, "a")
    async with db.transaction() as tx:
        assert await tx.execute(RENAME_ALL, new="b") == 1
        assert await tx.execute(RENAME, old="b", new="c") == 1
        assert await tx.all(NAMES) == [("c",)]

    assert [thread is threading.main_thread() for thread in ran_in] == [False, True]


async def test_an_exception_leaves_nothing(db: Database) -> None:
    with pytest.raises(ZeroDivisionError):
        async with db.transaction() as tx:
            await tx.value(ADD, name="a")
            raise ZeroDivisionError

    assert await db.value(COUNT) == 0
    await add(db, "b")
    assert await db.all(NAMES) == [("b",)]


async def test_a_failed_statement_leaves_nothing(db: Database) -> None:
    await add(db, "a")

    with pytest.raises(Exception, match=r"(?i)unique"):
        await add(db, "b", "a")

    assert await db.all(NAMES) == [("a",)]
    await add(db, "c")


async def test_a_cancelled_transaction_leaves_nothing(db: Database) -> None:
    written = asyncio.Event()

    async def write_and_wait() -> None:
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
async def test_a_transaction_may_be_cancelled_at_any_moment(db: Database, turns: int) -> None:
    async def write() -> None:
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


async def test_transactions_wait_for_each_other_and_none_fails(db: Database) -> None:
    async def count_up(number: int) -> None:
        async with db.transaction("count") as tx:
            seen = await tx.value(COUNT)
            await asyncio.sleep(0)
            await tx.value(ADD, name=f"after {seen}")

    # More than the pool of PostgreSQL has connections.
    async with asyncio.timeout(20):
        await asyncio.gather(*(count_up(number) for number in range(12)))

    assert await db.all(NAMES) == [(f"after {number}",) for number in range(12)]


async def test_a_named_lock_holds_over_two_hosts(db: Database, database_url: str) -> None:
    other = make_database(database_url)
    await other.open()
    order = []
    inside = asyncio.Event()

    async def first() -> None:
        async with db.transaction("gate") as tx:
            await tx.value(ADD, name="a")
            inside.set()
            await asyncio.sleep(0.1)
            order.append("first leaves")

    async def second() -> None:
        await inside.wait()
        async with other.transaction("gate") as tx:
            order.append(f"second sees {await tx.value(COUNT)}")

    async with asyncio.timeout(10):
        await asyncio.gather(first(), second())
    await other.close()

    assert order == ["first leaves", "second sees 1"]


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_locks_of_other_names_do_not_wait_on_postgresql(db: Database) -> None:
    async with asyncio.timeout(5), db.transaction("one"), db.transaction("two") as tx:
        await tx.value(ADD, name="a")


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_a_lock_is_shared_by_many_at_once_on_postgresql(db: Database) -> None:
    async with asyncio.timeout(5), db.transaction() as one, db.transaction() as other:
        await one.share_lock("tree")
        await other.share_lock("tree")


@pytest.mark.parametrize(
    ("begun_under", "take"), [(None, methodcaller("share_lock", "tree")), ("other", methodcaller("lock", "tree"))]
)
async def test_a_lock_taken_on_the_way_keeps_out_whoever_wants_it_alone(
    db: Database, begun_under: str | None, take: Callable[[Transaction], Awaitable[None]]
) -> None:
    order = []

    async def alone() -> None:
        async with db.transaction("tree") as tx:
            order.append(f"alone, after {await tx.value(COUNT)}")

    async with asyncio.timeout(20):
        async with db.transaction(begun_under) as tx:
            await take(tx)
            await tx.value(COUNT)  # A lock is taken with the next statement that is waited for.
            waiting = asyncio.create_task(alone())
            await asyncio.wait([waiting], timeout=0.2)
            await tx.value(ADD, name="a")
            order.append("on the way")
        await waiting

    assert order == ["on the way", "alone, after 1"]


async def test_a_shared_lock_waits_for_whoever_has_it_alone(db: Database) -> None:
    order = []

    async def share() -> None:
        async with db.transaction() as tx:
            await tx.share_lock("tree")
            order.append(f"shared, after {await tx.value(COUNT)}")

    async with asyncio.timeout(20):
        async with db.transaction("tree") as tx:
            await tx.value(COUNT)
            waiting = asyncio.create_task(share())
            await asyncio.wait([waiting], timeout=0.2)
            await tx.value(ADD, name="a")
            order.append("alone")
        await waiting

    assert order == ["alone", "shared, after 1"]


async def test_a_database_that_is_asked_all_the_time_closes_and_opens_again(db: Database) -> None:
    answered, is_over = asyncio.Event(), False

    async def ask() -> None:
        while not is_over:
            try:
                await db.value(COUNT)
                answered.set()
            except (psycopg.Error, sqlite3.Error):
                answered.clear()
            await asyncio.sleep(0)

    async with asyncio.TaskGroup() as group:
        for _ in range(8):
            group.create_task(ask())
        try:
            for _ in range(3):
                await answered.wait()
                await db.close()
                await db.open()
            answered.clear()
            await answered.wait()
        finally:
            is_over = True


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_who_waits_for_a_connection_can_be_stopped_at_any_moment(database_url: str) -> None:
    database = make_database(database_url, 1)
    await database.open()

    async def ask() -> None:
        while True:
            await database.value(ONE)

    for turns in range(30):
        async with database.transaction() as tx:
            await tx.value(ONE)
            asking = asyncio.create_task(ask())
            for _ in range(20):
                await asyncio.sleep(0)
        for _ in range(turns):
            await asyncio.sleep(0)
        asking.cancel()
        ended, _ = await asyncio.wait([asking], timeout=5)
        assert ended, turns
    await database.close()
