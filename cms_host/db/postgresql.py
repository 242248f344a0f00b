"""PostgreSQL through psycopg's asynchronous pool, with prepared statements.

A trip to the server costs this process more than most statements cost the server. So what nobody waits for is kept
until somebody does, and goes along: BEGIN with the first statement, the last writes with COMMIT (docs/decisions/0018).
"""

import asyncio
import hashlib
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import islice
from typing import Any

from psycopg import Error, InterfaceError
from psycopg.errors import ForeignKeyViolation
from psycopg.pq import TransactionStatus
from psycopg_pool import AsyncConnectionPool, PoolTimeout
from sqlalchemy import bindparam, func, select

from cms_host.db import postgresql_batch
from cms_host.db.connection import Asked, BrokenReference, Database, DatabaseUnavailable, Reader, Transaction
from cms_host.db.postgresql_batch import Connection, Cursor, Statement
from cms_host.db.query import Query, R
from cms_host.db.types import Id

_LOCK = Query(select(func.pg_advisory_xact_lock(bindparam("key", type_=Id)).label("taken")))
_TRY_LOCK = Query(select(func.pg_try_advisory_xact_lock(bindparam("key", type_=Id)).label("taken")))
_SHARE_LOCK = Query(select(func.pg_advisory_xact_lock_shared(bindparam("key", type_=Id)).label("shared")))
#: A dead network must become an error, not a hang (seconds, and milliseconds for the server's own limit).
CONNECTION = {
    "connect_timeout": 5,
    "tcp_user_timeout": 8000,
    "keepalives_idle": 5,
    # Compiling a statement takes longer than any of ours takes to run.
    "options": "-c statement_timeout=30000 -c jit=off",
}


BEGIN, COMMIT, SAVEPOINT = Statement("BEGIN"), Statement("COMMIT"), Statement("SAVEPOINT before")
#: Seconds to wait for a connection before giving up.
PATIENCE = 8.0
#: Statements that are kept until one is waited for, at the most.
MOST_SENT = 64


def lock_key(name: str) -> int:
    """The advisory-lock number of a name: 63 bits of its SHA-256."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big") >> 1


class PostgresReader(Reader):
    """Reading, on a connection that is only used by one coroutine at a time."""

    dialect = "postgresql"

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def all(self, query: Query[R], /, **values: Any) -> list[R]:
        compiled = query.compiled("postgresql")
        cursor = await self._run(compiled.sql, compiled.arguments(values))
        return compiled.rows(await cursor.fetchall())

    async def _run(self, sql: str, arguments: tuple[Any, ...]) -> Cursor:
        return await self._connection.execute(sql, arguments, prepare=True)


class PostgresTransaction(PostgresReader, Transaction):
    """One connection, which begins a transaction with the first statement that is waited for."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        #: What goes along with the next statement.
        self._sent = [BEGIN]

    async def several(self, *asked: Asked) -> list[list[Any]]:
        each = [query.compiled("postgresql") for query, _ in asked]
        statements = [Statement(one.sql, one.arguments(values)) for one, (_, values) in zip(each, asked, strict=True)]
        cursors = await self._batch(*statements)
        return [one.rows(await cursor.fetchall()) for one, cursor in zip(each, cursors, strict=True)]

    async def execute(self, query: Query[Any], /, **values: Any) -> int:
        compiled = query.compiled("postgresql")
        return (await self._run(compiled.sql, compiled.arguments(values))).rowcount

    async def send(self, query: Query[Any], /, **values: Any) -> None:
        compiled = query.compiled("postgresql")
        if len(self._sent) >= MOST_SENT:
            await self._settle()
        self._sent.append(Statement(compiled.sql, compiled.arguments(values)))

    async def execute_many(self, query: Query[Any], rows: Iterable[Mapping[str, Any]], /) -> None:
        sql, given = query.compiled("postgresql").sql, map(query.compiled("postgresql").arguments, rows)
        self._sent += [Statement(sql, arguments) for arguments in islice(given, MOST_SENT)]
        if len(self._sent) >= MOST_SENT:
            await self._settle()
            async with self._connection.cursor() as cursor:
                await cursor.executemany(sql, given)

    async def try_lock(self, name: str) -> bool:
        taken: bool = await self.value(_TRY_LOCK, key=lock_key(name))
        return taken

    async def share_lock(self, name: str) -> None:
        await self.send(_SHARE_LOCK, key=lock_key(name))

    async def lock(self, name: str) -> None:
        await self.send(_LOCK, key=lock_key(name))

    async def savepoint(self) -> None:
        # What fails of the statements before it must not be undone, and so hidden, by going back to it.
        await self._settle()
        self._sent.append(SAVEPOINT)

    async def rollback(self) -> None:
        if SAVEPOINT in self._sent:
            # Nothing was carried out since.
            self._sent = [SAVEPOINT]
            return
        self._sent.clear()
        await postgresql_batch.command(self._connection, b"ROLLBACK TO SAVEPOINT before")

    async def commit(self) -> None:
        """End with all changes.

        :raises psycopg.Error: something failed, then or before, and the server has undone them.
        """
        (ended,) = await self._batch(COMMIT)
        if ended.statusmessage != "COMMIT":
            raise InterfaceError("the transaction could not be committed: one of its statements failed")

    async def abandon(self) -> None:
        """End without any change."""
        self._sent.clear()
        if self._connection.info.transaction_status in (TransactionStatus.INTRANS, TransactionStatus.INERROR):
            with suppress(Error):
                await postgresql_batch.command(self._connection, b"ROLLBACK")

    async def _run(self, sql: str, arguments: tuple[Any, ...]) -> Cursor:
        if not self._sent:
            return await super()._run(sql, arguments)
        (cursor,) = await self._batch(Statement(sql, arguments))
        return cursor

    async def _settle(self) -> None:
        """Wait for all that was sent."""
        if self._sent:
            await self._batch()

    async def _batch(self, *asked: Statement) -> list[Cursor]:
        sent, self._sent = self._sent, []
        return await postgresql_batch.run(self._connection, sent, *asked)


class PostgresDatabase(Database):
    """A PostgreSQL database behind a pool of connections in autocommit mode."""

    dialect = "postgresql"

    def __init__(self, url: str, pool_size: int = 10) -> None:
        self.url = url
        self._pool_size = pool_size
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        #: Connections kept between units of work: asking the pool each time costs a tenth of a short request.
        self._kept: list[Connection] = []

    async def open(self) -> None:
        pool = AsyncConnectionPool(
            self.url,
            kwargs={"autocommit": True, **CONNECTION},
            min_size=min(2, self._pool_size),
            max_size=self._pool_size,
            timeout=PATIENCE,
            open=False,
        )
        try:
            await pool.open(wait=True, timeout=PATIENCE)
        except (Error, PoolTimeout) as error:
            await pool.close()
            raise DatabaseUnavailable(f"PostgreSQL does not answer: {error}") from error
        # Nobody may borrow earlier: a pool is never full while connections are kept that it waits for.
        self._pool = pool

    async def close(self) -> None:
        await self._pool.close()
        while self._kept:
            await self._pool.putconn(self._kept.pop())

    async def all(self, query: Query[R], /, **values: Any) -> list[R]:
        async with self._borrowed() as connection:
            return await PostgresReader(connection).all(query, **values)

    @asynccontextmanager
    async def transaction(self, lock: str | None = None) -> AsyncIterator[Transaction]:
        async with AsyncExitStack() as stack:
            if lock is not None:
                # Waiting for one's turn inside the process keeps the pool's connections free for those who can work.
                await stack.enter_async_context(self._locks[lock])
            transaction = PostgresTransaction(await stack.enter_async_context(self._borrowed()))
            try:
                if lock is not None:
                    await transaction.lock(lock)
                yield transaction
                await transaction.commit()
            except ForeignKeyViolation as error:
                await transaction.abandon()
                raise BrokenReference from error
            except BaseException:
                await transaction.abandon()
                raise

    @asynccontextmanager
    async def _borrowed(self) -> AsyncIterator[Connection]:
        pool, cancelled = self._pool, _times_cancelled()
        connection = self._kept.pop() if self._kept else await pool.getconn()
        try:
            if _times_cancelled() > cancelled:
                # The pool's wait for a connection that came at that moment has swallowed it (CPython issue 86296).
                raise asyncio.CancelledError
            yield connection
        except BaseException:
            # The pool knows what to do with a connection that is broken, or in the middle of something.
            await pool.putconn(connection)
            raise
        if len(self._kept) < self._pool_size // 2 and not pool.closed:
            self._kept.append(connection)
        else:
            await pool.putconn(connection)


def _times_cancelled() -> int:
    """How often the running task was told to stop."""
    task = asyncio.current_task()
    return task.cancelling() if task else 0
