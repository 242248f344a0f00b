"""What the rest of the host and every plugin see of the database."""

from collections.abc import Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

from cms_host.db.query import Query, R

#: A statement and its values.
Asked = tuple[Query[Any], Mapping[str, Any]]


class Reader(Protocol):
    """Runs statements that change nothing. Each sees all that was committed before it."""

    dialect: str

    async def all(self, query: Query[R], /, **values: Any) -> list[R]:
        """Every row."""

    async def first(self, query: Query[R], /, **values: Any) -> R | None:
        """The first row, or None."""
        rows = await self.all(query, **values)
        return rows[0] if rows else None

    async def value(self, query: Query[Any], /, **values: Any) -> Any:
        """The first column of the first row, or None."""
        rows = await self.all(query, **values)
        return rows[0][0] if rows else None


class Transaction(Reader, Protocol):
    """One connection inside one transaction: it commits as a whole or leaves nothing."""

    async def several(self, *asked: Asked) -> list[list[Any]]:
        """Every row of each of the statements, which run in order: one trip where a trip to the database costs."""
        return [await self.all(query, **values) for query, values in asked]

    async def execute(self, query: Query[Any], /, **values: Any) -> int:
        """Run a statement that returns no rows; gives the number of rows it changed."""

    async def send(self, query: Query[Any], /, **values: Any) -> None:
        """Run a statement whose outcome nobody waits for.

        It is carried out before the next statement; where that is not at once, what goes wrong with it is raised by
        the next statement that is waited for, or by the end of the transaction.
        """

    async def execute_many(self, query: Query[Any], rows: Iterable[Mapping[str, Any]], /) -> None:
        """`send` a statement once for each mapping of values; many of them run off the event loop's thread."""

    async def try_lock(self, name: str) -> bool:
        """Take a named lock until the transaction ends, without waiting; says whether nobody else held it."""

    async def lock(self, name: str) -> None:
        """Take a named lock until the transaction ends; waits for whoever has it.

        For what turns out to be needed on the way: `transaction(name)` waits without a connection, this waits with one.
        Whoever shares the lock already must not ask for it.
        """

    async def share_lock(self, name: str) -> None:
        """Keep `transaction(name)` from beginning until this one ends; waits for one that has begun.

        Any number of transactions may share a lock at a time.
        """

    async def savepoint(self) -> None:
        """Set the point to which `rollback` goes back; the last one counts."""

    async def rollback(self) -> None:
        """Go back to the savepoint, which stays; the transaction goes on, even where a statement failed."""


class Database(Reader, Protocol):
    """The store of one site. Reading on it directly is reading outside of any transaction."""

    url: str

    async def open(self) -> None:
        """Connect. :raises DatabaseUnavailable: it cannot be reached."""

    async def close(self) -> None:
        """Let every connection go."""

    def transaction(self, lock: str | None = None) -> AbstractAsyncContextManager[Transaction]:
        """Begin, and commit at the end of the block, or roll back when it raises.

        :param lock: a name of which only one transaction at a time, over all hosts, is inside. It may be taken with
            the first statement: what is not in the database needs another protection.
        :raises BrokenReference: a foreign key refused what was written; nothing is.
        """


class BrokenReference(Exception):
    """A foreign key refused a write: it refers to what is gone, or takes away what is still referred to."""


class DatabaseUnavailable(Exception):
    """The database cannot be reached."""
