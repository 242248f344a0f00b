"""Reading inside of somebody else's transaction without a chance to spoil it."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from cms_host.db.connection import Reader
from cms_host.db.query import Query, R

T = TypeVar("T")


class IsolatedReader:
    """A reader on a transaction, for code that is not trusted to be free of errors.

    PostgreSQL carries out no further statement of a transaction in which one failed or was broken off. So the first
    statement sets a savepoint, and one that fails goes back to it: where nothing is read, and nothing fails, nothing is
    paid. On a database outside of any transaction there is nothing to protect.
    """

    __slots__ = ("_db", "_marked", "_transaction", "dialect")

    def __init__(self, db: Reader) -> None:
        self.dialect = db.dialect
        self._db = db
        self._transaction: Any = db if hasattr(db, "savepoint") else None
        self._marked = False

    async def all(self, query: Query[R], /, **values: Any) -> list[R]:
        return await self._guarded(self._db.all, query, values)

    async def first(self, query: Query[R], /, **values: Any) -> R | None:
        return await self._guarded(self._db.first, query, values)

    async def value(self, query: Query[Any], /, **values: Any) -> Any:
        return await self._guarded(self._db.value, query, values)

    async def _guarded(self, read: Callable[..., Awaitable[T]], query: Query[Any], values: dict[str, Any]) -> T:
        if self._transaction is None:
            return await read(query, **values)
        if not self._marked:
            self._marked = True
            await self._transaction.savepoint()
        try:
            return await read(query, **values)
        except BaseException:
            await self._transaction.rollback()
            raise
