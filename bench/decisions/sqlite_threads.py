"""docs/decisions/0003: what a hop to a thread costs SQLite, and what staying on the event loop's thread may cost."""

import asyncio
import multiprocessing
import sqlite3
import tempfile
import time
from multiprocessing.synchronize import Event
from pathlib import Path

from sqlalchemy import Column, Table, Text, bindparam, insert, select, update

from bench.decisions.timing import compare
from cms_host.db import Id, Query, new_metadata
from cms_host.db.sqlite import SqliteDatabase, connect

rows = Table("rows", new_metadata(), Column("id", Id, primary_key=True), Column("text", Text))
_by_id = select(rows.c.id, rows.c.text).where(rows.c.id == bindparam("id"))
IN_PLACE, IN_THREAD = Query(_by_id), Query(_by_id, scans=True)
CHANGE = Query(update(rows).where(rows.c.id == bindparam("row")).values(text=bindparam("new")))
#: Seconds that another process keeps the database to itself.
HELD = 0.3


async def measure(path: Path) -> None:
    database = SqliteDatabase(f"sqlite:///{path}")
    await database.open()
    async with database.transaction() as tx:
        await tx.execute_many(Query(insert(rows)), [{"id": n, "text": "x" * 3000} for n in range(1000)])
    print("Reading one row of 3 KB by its key")
    await compare({
        "  on the loop's thread": lambda: database.first(IN_PLACE, id=500),
        "  on a reader thread": lambda: database.first(IN_THREAD, id=500),
    })  # fmt: skip
    print("A transaction of ten reads and one write")
    await compare({
        "  BEGIN and COMMIT on a thread, the rest in place": lambda: _write(database, IN_PLACE),
        "  every statement on a thread": lambda: _write(database, IN_THREAD),
    }, repeat=5)  # fmt: skip
    print(f"The event loop stands still while another process holds the write lock for {HELD:g} s")
    print(f"  BEGIN on the loop's thread   {await _longest_stall(path, _begin_here(path)) * 1000:6.1f} ms")
    print(f"  BEGIN on the writer thread   {await _longest_stall(path, _write(database, IN_PLACE)) * 1000:6.1f} ms")
    await database.close()


async def _write(database: SqliteDatabase, query: Query) -> None:
    async with database.transaction() as tx:
        for key in range(10):
            await tx.first(query, id=key)
        await tx.execute(CHANGE, row=1, new="y" * 3000)


async def _begin_here(path: Path) -> None:
    connection = connect(str(path), 5000)
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("ROLLBACK")
    connection.close()


async def _longest_stall(path: Path, work) -> float:
    """The longest time between two turns of the event loop while the work runs against a held lock."""
    held = multiprocessing.Event()
    process = multiprocessing.Process(target=_hold, args=(path, held))
    process.start()
    await asyncio.to_thread(held.wait)
    task, longest = asyncio.create_task(work), 0.0
    while not task.done():
        before = time.perf_counter()
        await asyncio.sleep(0.001)
        longest = max(longest, time.perf_counter() - before)
    await asyncio.to_thread(process.join)
    return longest


def _hold(path: Path, held: Event) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    held.set()
    time.sleep(HELD)
    connection.execute("ROLLBACK")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "measured.sqlite3"
        connect(str(path), 1000).execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT)")
        asyncio.run(measure(path))


if __name__ == "__main__":
    main()
