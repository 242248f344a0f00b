"""Reading inside of somebody else's transaction without a chance to spoil it."""

from collections.abc import Mapping, Sequence
from typing import Any

from cms_host.db.connection import Asked, Reader
from cms_host.db.query import Query, R


class IsolatedReader(Reader):
    """A reader on a transaction, for code that is not trusted to be free of errors.

    PostgreSQL carries out no further statement of a transaction in which one failed or was broken off. So the first
    statement sets a savepoint, and one that fails goes back to it: where nothing is read, and nothing fails, nothing is
    paid. On a database outside of any transaction there is nothing to protect.
    """

    __slots__ = ("_ahead", "_db", "_marked", "_transaction", "dialect")

    def __init__(self, db: Reader) -> None:
        self.dialect = db.dialect
        self._db = db
        self._transaction: Any = db if hasattr(db, "savepoint") else None
        self._marked = False
        self._ahead: dict[Any, list[Any]] = {}

    async def read_ahead(self, asked: Sequence[Asked]) -> None:
        """Read what is going to be asked for, all of it in one trip to the database.

        Where a statement fails nothing is kept: each is read when it is asked for, and who asks is told what failed.
        """
        if self._transaction is None or len(asked) < 2:
            return
        await self._mark()
        try:
            found = await self._transaction.several(*asked)
        except BaseException as error:
            await self._transaction.rollback()
            if not isinstance(error, Exception):
                raise
        else:
            self._ahead = {_key(query, values): rows for (query, values), rows in zip(asked, found, strict=True)}

    async def all(self, query: Query[R], /, **values: Any) -> list[R]:
        if self._ahead and (rows := self._ahead.get(_key(query, values))) is not None:
            return [*rows]
        if self._transaction is None:
            return await self._db.all(query, **values)
        await self._mark()
        try:
            return await self._db.all(query, **values)
        except BaseException:
            await self._transaction.rollback()
            raise

    async def _mark(self) -> None:
        if not self._marked:
            self._marked = True
            await self._transaction.savepoint()


def _key(query: Query[Any], values: Mapping[str, Any]) -> tuple[Any, ...]:
    """The same for the same statement with the same values, among which there may be lists."""
    return query, *sorted((name, repr(value)) for name, value in values.items())
