"""PostgreSQL through psycopg's asynchronous pool, with prepared statements."""

import asyncio
import hashlib
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from psycopg import AsyncConnection, Error
from psycopg_pool import AsyncConnectionPool, PoolTimeout
from sqlalchemy import bindparam, func, select

from cms_host.db.connection import Database, DatabaseUnavailable, Transaction
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
    "options": "-c statement_timeout=30000",
}


def lock_key(name: str) -> int:
    """The advisory-lock number of a name: 63 bits of its SHA-256."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big") >> 1


class PostgresTransaction(Transaction):
    """One connection; a transaction when the pool's borrower began one."""

    dialect = "postgresql"

    def __init__(self, connection: AsyncConnection[tuple[Any, ...]]) -> None:
        self._connection = connection

    async def all(self, query: Query[R], /, **values: Any) -> list[R]:
        compiled = query.compiled("postgresql")
        cursor = await self._connection.execute(compiled.sql, compiled.arguments(values), prepare=True)
        return compiled.rows(await cursor.fetchall())

    async def execute(self, query: Query[Any], /, **values: Any) -> int:
        compiled = query.compiled("postgresql")
        return (await self._connection.execute(compiled.sql, compiled.arguments(values), prepare=True)).rowcount

    async def execute_many(self, query: Query[Any], rows: Iterable[Mapping[str, Any]], /) -> None:
        compiled = query.compiled("postgresql")
        async with self._connection.cursor() as cursor:
            await cursor.executemany(compiled.sql, map(compiled.arguments, rows))

    async def try_lock(self, name: str) -> bool:
        taken: bool = await self.value(_TRY_LOCK, key=lock_key(name))
        return taken

    async def share_lock(self, name: str) -> None:
        await self.all(_SHARE_LOCK, key=lock_key(name))

    async def savepoint(self) -> None:
        await self._connection.execute("SAVEPOINT before")

    async def rollback(self) -> None:
        await self._connection.execute("ROLLBACK TO SAVEPOINT before")


class PostgresDatabase(Database):
    """A PostgreSQL database behind a pool of connections in autocommit mode."""

    dialect = "postgresql"

    def __init__(self, url: str, pool_size: int = 10, patience: float = 8) -> None:
        """:param patience: seconds to wait for a connection before giving up."""
        self.url = url
        self._pool_size = pool_size
        self._patience = patience
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        #: Connections kept between reads: asking the pool each time costs a tenth of a short request.
        self._kept: list[AsyncConnection[tuple[Any, ...]]] = []

    async def open(self) -> None:
        self._pool = AsyncConnectionPool(
            self.url,
            kwargs={"autocommit": True, **CONNECTION},
            min_size=min(2, self._pool_size),
            max_size=self._pool_size,
            timeout=self._patience,
            open=False,
        )
        try:
            await self._pool.open(wait=True, timeout=self._patience)
        except (Error, PoolTimeout) as error:
            await self._pool.close()
            raise DatabaseUnavailable(f"PostgreSQL does not answer: {error}") from error

    async def close(self) -> None:
        while self._kept:
            await self._pool.putconn(self._kept.pop())
        await self._pool.close()

    async def all(self, query: Query[R], /, **values: Any) -> list[R]:
        connection = self._kept.pop() if self._kept else await self._pool.getconn()
        try:
            rows = await PostgresTransaction(connection).all(query, **values)
        except BaseException:
            # The pool knows what to do with a connection that is broken, or in the middle of something.
            await self._pool.putconn(connection)
            raise
        if len(self._kept) < self._pool_size // 2:
            self._kept.append(connection)
        else:
            await self._pool.putconn(connection)
        return rows

    @asynccontextmanager
    async def transaction(self, lock: str | None = None) -> AsyncIterator[Transaction]:
        async with AsyncExitStack() as stack:
            if lock is not None:
                # Waiting for one's turn inside the process keeps the pool's connections free for those who can work.
                await stack.enter_async_context(self._locks[lock])
            connection = await stack.enter_async_context(self._pool.connection())
            await stack.enter_async_context(connection.transaction())
            transaction = PostgresTransaction(connection)
            if lock is not None:
                await transaction.all(_LOCK, key=lock_key(lock))
            yield transaction
