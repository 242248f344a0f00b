"""Several statements in one trip to the PostgreSQL server.

psycopg's own pipeline mode goes through the event loop once for each statement that is sent, which costs as much as
waiting for its result. Here they are all put into libpq's buffer first and sent together. That takes methods of psycopg
that are not public: `pyproject.toml` keeps the version to those that this was written for (docs/decisions/0018).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from psycopg import AsyncConnection, AsyncCursor
from psycopg.abc import PQGen


class Statement(NamedTuple):
    """SQL with its positional values."""

    sql: Any
    arguments: tuple[Any, ...] = ()


class Batch(AsyncCursor[tuple[Any, ...]]):
    """A cursor with the results of the last of several statements."""

    async def run(self, statements: Sequence[Statement]) -> None:
        """Run them in order, and none after one that fails.

        :raises psycopg.Error: of the first that failed.
        """
        async with self._conn.lock, self._conn._pipeline_nolock():
            # At its end the pipeline is sent, and all results are read.
            await self._conn.wait(self._queue(statements))

    def _queue(self, statements: Sequence[Statement]) -> PQGen[None]:
        for sql, arguments in statements:
            yield from self._start_query(sql)
            yield from self._maybe_prepare_gen(self._convert_query(sql, arguments), prepare=True)
        yield from self._conn._prepared.maintain_gen(self._conn)


async def run(connection: AsyncConnection[tuple[Any, ...]], statements: Sequence[Statement]) -> Batch:
    """Run statements in one trip; gives the results of the last one.

    :raises psycopg.Error: one of them failed.
    """
    batch = Batch(connection)
    await batch.run(statements)
    return batch
