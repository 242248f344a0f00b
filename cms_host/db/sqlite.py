"""SQLite, called from the event loop.

Reads that an index bounds run where they are asked for: a hop to a thread costs more than the read. Statements
that may scan go to reader threads. A transaction's BEGIN IMMEDIATE and COMMIT can wait for another process and
for the disk, so they run on the writer thread; the statements between them wait for nobody and run in place
(docs/decisions/0003). Transactions that come at the same time share a commit (docs/decisions/0018).
"""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from cms_host.db.connection import BrokenReference, Database, DatabaseUnavailable, Reader, Transaction
from cms_host.db.query import Compiled, Query, R
from cms_host.db.sqlite_turn import Turn
from cms_host.db.sqlite_writer import Writer

T = TypeVar("T")
PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA cache_size=-16000",
    "PRAGMA mmap_size=268435456",
)
#: Seconds that a writer waits for other processes.
WRITER_PATIENCE = 15.0
#: Milliseconds that SQLite waits by itself; a reader never waits for a writer in WAL mode.
READER_PATIENCE = 1_000
#: Rows that one statement writes where it is asked for; a hop to a thread costs as much.
FEW_ROWS = 16


def connect(path: str, patience: int) -> sqlite3.Connection:
    """A connection in autocommit mode that may be handed between threads, one user at a time."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, cached_statements=512)
    connection.execute(f"PRAGMA busy_timeout={patience}")
    for pragma in PRAGMAS:
        connection.execute(pragma)
    return connection


def fetch(connection: sqlite3.Connection, compiled: Compiled[R], arguments: tuple[Any, ...]) -> list[R]:
    """Run one statement and take all of its rows."""
    return compiled.rows(connection.execute(compiled.sql, arguments).fetchall())


def change(connection: sqlite3.Connection, compiled: Compiled[Any], arguments: tuple[Any, ...]) -> int:
    """Run one statement; gives the number of rows it changed."""
    return connection.execute(compiled.sql, arguments).rowcount


class SqliteReader(Reader):
    """Reading, on a connection that is only used by one coroutine or thread at a time."""

    dialect = "sqlite"

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    async def all(self, query: Query[R], /, **values: Any) -> list[R]:
        compiled = query.compiled("sqlite")
        return fetch(self._connection, compiled, compiled.arguments(values))


class SqliteTransaction(SqliteReader, Transaction):
    """A write transaction; statements that may scan leave the loop for the writer thread."""

    def __init__(self, connection: sqlite3.Connection, writer: ThreadPoolExecutor) -> None:
        super().__init__(connection)
        self._writer = writer

    async def all(self, query: Query[R], /, **values: Any) -> list[R]:
        compiled = query.compiled("sqlite")
        arguments = compiled.arguments(values)
        if not query.scans:
            return fetch(self._connection, compiled, arguments)
        return await self._in_thread(fetch, compiled, arguments)

    async def execute(self, query: Query[Any], /, **values: Any) -> int:
        compiled = query.compiled("sqlite")
        arguments = compiled.arguments(values)
        if not query.scans:
            return change(self._connection, compiled, arguments)
        return await self._in_thread(change, compiled, arguments)

    async def send(self, query: Query[Any], /, **values: Any) -> None:
        await self.execute(query, **values)

    async def execute_many(self, query: Query[Any], rows: Iterable[Mapping[str, Any]], /) -> None:
        compiled = query.compiled("sqlite")
        given = iter(rows)
        # The values of many rows are made on the thread too, as they are written.
        if few := [compiled.arguments(row) for row in islice(given, FEW_ROWS)]:
            self._connection.executemany(compiled.sql, few)
        if len(few) == FEW_ROWS:
            arguments = map(compiled.arguments, given)
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._writer, self._connection.executemany, compiled.sql, arguments)

    async def try_lock(self, name: str) -> bool:
        # Whoever is in a write transaction is there alone.
        return True

    async def lock(self, name: str) -> None:
        """Nothing to do: whoever is in a write transaction is there alone."""

    async def share_lock(self, name: str) -> None:
        """Nothing to do: whoever is in a write transaction is there alone."""

    async def savepoint(self) -> None:
        self._connection.execute("SAVEPOINT before")

    async def rollback(self) -> None:
        self._connection.execute("ROLLBACK TO before")

    async def _in_thread(
        self,
        run: Callable[[sqlite3.Connection, Compiled[R], tuple[Any, ...]], T],
        compiled: Compiled[R],
        arguments: Any,
    ) -> T:
        work = self._writer.submit(run, self._connection, compiled, arguments)
        done = asyncio.wrap_future(work)
        try:
            return await asyncio.shield(done)
        except asyncio.CancelledError:
            # Left alone, the thread would keep the connection from the transaction's next statement and from its end.
            # It may be about to begin, when there is nothing yet to interrupt.
            while not (work.cancel() or work.done()):
                self._connection.interrupt()
                await asyncio.wait([done], timeout=0.01)
            raise


def make_file(path: Path) -> None:
    """Make the database's file, and its folder, where they are not there: for nobody else on the machine to read.

    What SQLite itself puts beside the file gets the file's own mode.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.touch(mode=0o600, exist_ok=True)


class SqliteDatabase(SqliteReader, Database):
    """A SQLite file in WAL mode."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._path = url.removeprefix("sqlite:///")
        self._thread = threading.local()
        self._opened: list[sqlite3.Connection] = []

    async def open(self) -> None:
        try:
            make_file(Path(self._path))
            self._connection = self._connect(READER_PATIENCE)
            connection = self._connect(round(WRITER_PATIENCE * 1000))
            connection.execute("PRAGMA busy_timeout=0")
        except (OSError, sqlite3.Error) as error:
            self._close_all()
            raise DatabaseUnavailable(f"{self._path}: {error}") from error
        turn = Turn(connection, f"{self._path}-turn", WRITER_PATIENCE)
        self._writer = Writer(connection, turn, WRITER_PATIENCE)
        self._readers = ThreadPoolExecutor(2, "sqlite-reader")

    async def close(self) -> None:
        await asyncio.to_thread(self._readers.shutdown)
        await self._writer.close()
        self._close_all()

    async def all(self, query: Query[R], /, **values: Any) -> list[R]:
        compiled = query.compiled("sqlite")
        arguments = compiled.arguments(values)
        if not query.scans:
            return fetch(self._connection, compiled, arguments)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._readers, self._scan, compiled, arguments)

    @asynccontextmanager
    async def transaction(self, lock: str | None = None) -> AsyncIterator[Transaction]:
        # BEGIN IMMEDIATE lets one writer in at a time, which is what every named lock asks for.
        try:
            async with self._writer.unit():
                yield SqliteTransaction(self._writer.connection, self._writer.thread)
        except sqlite3.IntegrityError as error:
            if error.sqlite_errorname != "SQLITE_CONSTRAINT_FOREIGNKEY":
                raise
            raise BrokenReference from error

    def _close_all(self) -> None:
        while self._opened:
            self._opened.pop().close()

    def _connect(self, patience: int) -> sqlite3.Connection:
        self._opened.append(connection := connect(self._path, patience))
        return connection

    def _scan(self, compiled: Compiled[R], arguments: tuple[Any, ...]) -> list[R]:
        if not hasattr(self._thread, "connection"):
            self._thread.connection = self._connect(READER_PATIENCE)
        return fetch(self._thread.connection, compiled, arguments)
