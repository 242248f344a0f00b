"""Reading inside of somebody else's transaction without a chance to spoil it."""

from typing import Any

from cms_host.db.connection import Reader
from cms_host.db.query import Query, R


class IsolatedReader(Reader):
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
        if self._transaction is None:
            return await self._db.all(query, **values)
        if not self._marked:
            self._marked = True
            await self._transaction.savepoint()
        try:
            return await self._db.all(query, **values)
        except BaseException:
            await self._transaction.rollback()
            raise
