"""SQLite: units of work that wait for the writer share a commit, and none of them knows."""

import asyncio
import fcntl
import os
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from cms_host.db import Database, make_database, sqlite_turn, sqlite_writer
from cms_host.db.sqlite_writer import NotCommitted

from .conftest import ADD, COUNT, NAMES, PUT, add

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
async def other(database_url: str) -> AsyncIterator[Database]:
    """The same file, as another process has it open."""
    database = make_database(database_url)
    await database.open()
    yield database
    await database.close()


@pytest.fixture
def ends(db: Any) -> list[str]:
    """The beginnings and ends of transactions, as the database is told of them."""
    told: list[str] = []
    db._writer.connection.set_trace_callback(
        lambda sql: told.append(sql.split()[0]) if sql.startswith(("BEGIN", "COMMIT", "SAVEPOINT")) else None
    )
    return told


async def until(condition: Any) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.002)


async def names(db: Database) -> list[str]:
    return [name for (name,) in await db.all(NAMES)]


async def test_units_that_come_together_are_committed_together(db: Database, ends: list[str]) -> None:
    await asyncio.gather(*(add(db, f"n{number}") for number in range(10)))

    assert await names(db) == [f"n{number}" for number in range(10)]
    assert ends.count("SAVEPOINT") == 10
    assert ends.count("COMMIT") < 10


async def test_one_that_fails_loses_its_own_changes_and_no_other(db: Database) -> None:
    async def fail() -> None:
        async with db.transaction() as tx:
            await tx.value(ADD, name="lost")
            raise ZeroDivisionError

    results = await asyncio.gather(
        add(db, "a"), fail(), add(db, "b"), add(db, "a"), add(db, "c"), return_exceptions=True
    )

    assert [type(each).__name__ for each in results] == ["list", "ZeroDivisionError", "list", "IntegrityError", "list"]
    assert await names(db) == ["a", "b", "c"]


async def test_a_savepoint_inside_goes_back_no_further_than_itself(db: Database) -> None:
    async def undo_a_part(number: int) -> None:
        async with db.transaction() as tx:
            await tx.value(ADD, name=f"kept {number}")
            await tx.savepoint()
            await tx.value(ADD, name=f"undone {number}")
            await tx.rollback()

    await asyncio.gather(*(undo_a_part(number) for number in range(3)))

    assert await names(db) == ["kept 0", "kept 1", "kept 2"]


async def test_none_has_ended_and_nobody_sees_it_before_the_commit(db: Database) -> None:
    inside, go_on = asyncio.Event(), asyncio.Event()

    async def slow() -> None:
        async with db.transaction() as tx:
            await tx.value(ADD, name="slow")
            inside.set()
            await go_on.wait()

    fast, last = asyncio.create_task(add(db, "fast")), asyncio.create_task(slow())
    await inside.wait()
    assert not fast.done()
    assert await names(db) == []
    go_on.set()
    await asyncio.gather(fast, last)

    assert await names(db) == ["fast", "slow"]


@pytest.mark.parametrize("turns", range(12))
async def test_one_may_be_cancelled_at_any_moment(db: Database, turns: int) -> None:
    async def write(name: str) -> None:
        async with db.transaction() as tx:
            await tx.value(ADD, name=name)
            await asyncio.sleep(0)

    tasks = [asyncio.create_task(write(name)) for name in ("a", "b", "c")]
    for _ in range(turns):
        await asyncio.sleep(0)
    tasks[1].cancel()
    await asyncio.wait([tasks[1]])
    seen = await names(db)
    async with asyncio.timeout(20):
        await asyncio.gather(tasks[0], tasks[2])
        await add(db, "d")

    found = await names(db)
    assert [name for name in found if name != "b"] == ["a", "c", "d"]
    # Once the cancelled one is over it is certain what came of it.
    assert ("b" in found) == ("b" in seen)


async def test_a_commit_that_fails_fails_all_that_share_it(db: Any, ends: list[str]) -> None:
    connection = db._writer.connection
    connection.execute("CREATE TABLE owned (id INTEGER REFERENCES things DEFERRABLE INITIALLY DEFERRED)")

    async def spoil() -> None:
        async with db.transaction() as tx:
            await tx.value(ADD, name="b")
            connection.execute("INSERT INTO owned VALUES (99)")

    results = await asyncio.gather(add(db, "a"), spoil(), add(db, "c"), return_exceptions=True)

    assert all(isinstance(each, NotCommitted) for each in results)
    assert "FOREIGN KEY" in str(results[0])
    assert await names(db) == []
    await add(db, "d")
    assert await names(db) == ["d"]


async def test_a_transaction_that_the_database_gave_up_is_nobody_s_success(db: Any) -> None:
    connection = db._writer.connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count={pages + 2}")

    async def write(name: str) -> str:
        async with db.transaction() as tx:
            await tx.value(ADD, name=name)
        return name

    long = ["x" * 20_000 + str(number) for number in range(4)]
    results = await asyncio.gather(*(write(name) for name in ("a", *long, "b")), return_exceptions=True)
    connection.execute("PRAGMA max_page_count=1000000")

    assert any(isinstance(each, Exception) for each in results)
    assert await names(db) == [each for each in results if isinstance(each, str)]
    await add(db, "afterwards")


async def test_a_group_has_a_greatest_size(db: Database, ends: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_writer, "MOST_UNITS", 3)
    monkeypatch.setattr(sqlite_writer, "LONGEST_GROUP", 600)
    await asyncio.gather(*(add(db, f"n{number}") for number in range(7)))

    assert "".join(each[0] for each in ends) == "BSSSCBSSSCBSC"


async def test_after_some_time_nobody_else_is_let_in(
    db: Database, ends: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_writer, "LONGEST_GROUP", 0)
    await asyncio.gather(*(add(db, f"n{number}") for number in range(3)))

    assert "".join(each[0] for each in ends) == "BSCBSCBSC"


async def test_who_waits_in_another_process_goes_before_who_comes_later(db: Any, other: Any) -> None:
    order: list[str] = []

    async def write(database: Database, name: str) -> None:
        async with database.transaction() as tx:
            order.append(name)
            await tx.value(ADD, name=name)

    async with db.transaction() as tx:
        await tx.value(ADD, name="first")
        waiting = asyncio.create_task(write(other, "other"))
        await until(lambda: other._writer._turn._is_next)
    later = asyncio.create_task(write(db, "later"))
    async with asyncio.timeout(20):
        await asyncio.gather(waiting, later)

    assert order == ["other", "later"]


async def test_a_process_that_was_stopped_in_line_holds_nobody_up(
    db: Database, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_turn, "COURTESY", 0.05)
    file = os.open(database_url.removeprefix("sqlite:///") + "-turn", os.O_RDWR)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        async with asyncio.timeout(20):
            await add(db, "a")
    finally:
        os.close(file)

    assert await names(db) == ["a"]


@pytest.fixture
def no_turns(db: Database, database_url: str) -> Iterator[None]:
    """There is something in the way of the file that writers lock."""
    file = Path(database_url.removeprefix("sqlite:///") + "-turn")
    file.unlink()
    file.mkdir()
    yield
    file.rmdir()


@pytest.mark.usefixtures("no_turns")
async def test_without_the_file_for_turns_there_is_writing_all_the_same(database_url: str, db: Database) -> None:
    database = make_database(database_url)
    await database.open()
    await asyncio.gather(add(database, "a"), add(db, "b"))
    await database.close()

    assert sorted(await names(db)) == ["a", "b"]


async def test_one_that_waits_too_long_for_another_process_is_told_so(
    db: Database, other: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(other._writer._turn, "_patience", 0.05)
    async with db.transaction() as tx:
        await tx.value(ADD, name="a")
        with pytest.raises(Exception, match="database is locked"):
            await add(other, "b")
    await add(other, "c")

    assert await names(db) == ["a", "c"]


async def test_what_is_in_line_when_the_database_is_closed_is_written(database_url: str, db: Database) -> None:
    database = make_database(database_url)
    await database.open()
    writing = [asyncio.create_task(add(database, f"n{number}")) for number in range(5)]
    await asyncio.sleep(0)
    await database.close()
    await asyncio.gather(*writing)

    assert await db.value(COUNT) == 5


async def test_a_kill_loses_nothing_that_was_acknowledged(database_url: str, db: Database) -> None:
    program = (
        "import asyncio, sys\n"
        "from cms_host.db import make_database\n"
        "from tests.host.db.conftest import PUT\n"
        "async def write(db, hand):\n"
        "    for number in range(hand, 10**6, 16):\n"
        "        async with db.transaction() as tx:\n"
        "            await tx.execute(PUT, id=number + 1, name=f'n{number}')\n"
        "        print(number + 1, flush=True)\n"
        "async def main():\n"
        "    db = make_database(sys.argv[1])\n"
        "    await db.open()\n"
        "    await asyncio.gather(*(write(db, hand) for hand in range(16)))\n"
        "asyncio.run(main())\n"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, database_url, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout
    acknowledged = [await process.stdout.readline() for _ in range(100)]
    process.kill()
    acknowledged += (await process.stdout.read()).splitlines(keepends=True)
    await process.wait()

    told = {int(line) for line in acknowledged if line.endswith(b"\n")}
    stored = {int(name[1:]) + 1 for name in await names(db)}
    assert told <= stored
    assert len(stored - told) <= 16
    async with db.transaction() as tx:
        await tx.execute(PUT, id=10**7, name="the next one")
