"""Reading inside of somebody else's transaction without a chance to spoil it."""

from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any, Self

from cms_host.db.connection import Reader
from cms_host.db.query import Query, R


class IsolatedReader:
    """A reader on a transaction, for code that is not trusted to be free of errors.

    PostgreSQL carries out no further statement of a transaction in which one failed or was broken off. So the first
    statement sets a savepoint, and the end of the block goes back to it: it costs nothing where nothing is read.
    On a database outside of any transaction there is nothing to protect.
    """

    __slots__ = ("_db", "_protected", "_stack", "dialect")

    def __init__(self, db: Reader) -> None:
        self._db = db
        self.dialect = db.dialect
        self._protected = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._protected:
            await self._stack.aclose()

    async def all(self, query: Query[R], /, **values: Any) -> list[R]:
        await self._protect()
        return await self._db.all(query, **values)

    async def first(self, query: Query[R], /, **values: Any) -> R | None:
        await self._protect()
        return await self._db.first(query, **values)

    async def value(self, query: Query[Any], /, **values: Any) -> Any:
        await self._protect()
        return await self._db.value(query, **values)

    async def _protect(self) -> None:
        undoing = getattr(self._db, "undoing", None)
        if undoing is not None and not self._protected:
            self._protected = True
            self._stack = AsyncExitStack()
            await self._stack.enter_async_context(undoing())
