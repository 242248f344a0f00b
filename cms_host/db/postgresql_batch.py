"""Several statements in one trip to the PostgreSQL server.

psycopg's own pipeline mode goes through the event loop once for each statement that is sent, which costs as much as
waiting for its result. Here they are all put into libpq's buffer first and sent together. That takes methods of psycopg
that are not public: `pyproject.toml` keeps the version to those that this was written for (docs/decisions/0018).
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from psycopg import AsyncConnection, AsyncCursor
from psycopg.abc import PQGen
from psycopg.errors import PipelineAborted

Connection = AsyncConnection[tuple[Any, ...]]
Cursor = AsyncCursor[tuple[Any, ...]]


class Statement(NamedTuple):
    """SQL with its positional values."""

    sql: Any
    arguments: tuple[Any, ...] = ()


async def run(connection: Connection, sent: Sequence[Statement], *asked: Statement) -> list[Cursor]:
    """Run statements in one trip, in order, and none after one that fails; gives the results of those that ask.

    :raises psycopg.Error: of the first that failed.
    """
    aside, cursors = connection.cursor(), [connection.cursor() for _ in asked]
    queued = [*((aside, each) for each in sent), *zip(cursors, asked, strict=True)]
    try:
        async with connection.lock, connection._pipeline_nolock():
            # At its end the pipeline is sent, and all results are read.
            await connection.wait(_queue(connection, queued))
    except PipelineAborted as aborted:
        raise _cause(aborted) from None
    return cursors


def _cause(aborted: BaseException) -> BaseException:
    """The failure because of which later statements were not run.

    Where it was known before all of them were sent, psycopg tells of them instead.
    """
    while isinstance(aborted, PipelineAborted) and aborted.__context__ is not None:
        aborted = aborted.__context__
    return aborted


async def command(connection: Connection, sql: bytes) -> None:
    """Run a statement that neither has values nor gives rows.

    As a cursor's statement, a ROLLBACK would throw away all that is prepared: psycopg thinks of tables that a
    transaction made and took back, which is for migrations only.

    :raises psycopg.Error: it failed.
    """
    async with connection.lock:
        await connection.wait(connection._exec_command(sql))


def _queue(connection: Connection, queued: Iterable[tuple[Cursor, Statement]]) -> PQGen[None]:
    for cursor, (sql, arguments) in queued:
        yield from cursor._start_query(sql)
        yield from cursor._maybe_prepare_gen(cursor._convert_query(sql, arguments), prepare=True)
    yield from connection._prepared.maintain_gen(connection)
