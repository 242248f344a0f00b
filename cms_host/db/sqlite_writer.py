"""The one writer of a SQLite file in this process: units of work that wait for it at the same time share a commit.

A commit waits for the disk, and the beginning of a transaction for other processes. So the units that are in line run
one after the other inside one database transaction, each inside a savepoint of its own, and none has ended before that
transaction is committed (docs/decisions/0018).
"""

import asyncio
import sqlite3
from collections import deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from typing import TypeVar

from cms_host.db.sqlite_turn import Turn

T = TypeVar("T")

#: Units of work that share a commit at the most, and the seconds after which no more are let in: other processes wait.
MOST_UNITS, LONGEST_GROUP = 32, 0.02


class NotCommitted(sqlite3.OperationalError):
    """The database could not take what was written"""


class _Unit:
    """A unit of work in line: let in by the writer, and left with the word whether its changes are to be kept."""

    __slots__ = ("entered", "left")

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        #: Gives a future that ends with the transaction: None, or why it was not committed.
        self.entered: asyncio.Future[asyncio.Future[BaseException | None]] = loop.create_future()
        self.left: asyncio.Future[bool] = loop.create_future()

    def leave(self, *, keep: bool) -> None:
        """The writer may go on, unless it had to give up meanwhile."""
        if not self.left.done():
            self.left.set_result(keep)


class Writer:
    """Lets units of work write, one at a time.

    :param connection: for writing, and for nothing else.
    :param patience: seconds that `close` waits for units under way.
    """

    def __init__(self, connection: sqlite3.Connection, turn: Turn, patience: float) -> None:
        self.connection = connection
        #: What would block the event loop runs here.
        self.thread = ThreadPoolExecutor(1, "sqlite-writer")
        self._turn = turn
        self._patience = patience
        self._line: deque[_Unit] = deque()
        self._running: asyncio.Task[None] | None = None
        self._is_closed = False

    @property
    def is_busy(self) -> bool:
        """Whether a unit of work is under way, or in line."""
        return self._running is not None

    @asynccontextmanager
    async def unit(self) -> AsyncIterator[None]:
        """Write inside the block, alone; its changes are on the disk when it ends, or nowhere when it raises.

        :raises NotCommitted: the commit failed, of this unit and of those that shared it; or the writer is closed.
        """
        if self._is_closed:
            raise NotCommitted("the database is closed")
        unit = _Unit()
        self._line.append(unit)
        if self._running is None:
            self._running = asyncio.create_task(self._run(), name="sqlite writer")
        try:
            outcome = await unit.entered
            yield
        except BaseException:
            unit.leave(keep=False)
            raise
        unit.leave(keep=True)
        await _committed(outcome)

    async def close(self) -> None:
        """End when all that is in line is written, or given up."""
        self._is_closed = True
        if self._running is not None:
            running = self._running
            await asyncio.wait([running], timeout=self._patience)
            running.cancel()
            await asyncio.wait([running])
        while unit := self._next():
            unit.entered.set_exception(NotCommitted("the database is being closed"))
        await asyncio.to_thread(self.thread.shutdown)
        self._turn.close()

    async def _run(self) -> None:
        try:
            while unit := self._next():
                await self._share_commit(unit)
        finally:
            self._running = None

    def _next(self) -> _Unit | None:
        while self._line:
            unit = self._line.popleft()
            if not unit.entered.cancelled():
                return unit
        return None

    async def _share_commit(self, first: _Unit) -> None:
        """One transaction, for the unit and for others as long as there are any in line."""
        outcome: asyncio.Future[BaseException | None] = asyncio.get_running_loop().create_future()
        try:
            await self._begin()
            await self._let_in(first, outcome)
            await self._in_thread(self._commit)
        except BaseException as error:
            try:
                await self._in_thread(self._rollback)
            finally:
                if not first.entered.done():
                    first.entered.set_exception(error)
                outcome.set_result(error)
            if not isinstance(error, Exception):
                raise
        else:
            outcome.set_result(None)

    async def _let_in(self, first: _Unit, outcome: "asyncio.Future[BaseException | None]") -> None:
        loop = asyncio.get_running_loop()
        ends = loop.time() + LONGEST_GROUP
        await self._carry(first, outcome)
        for _ in range(MOST_UNITS - 1):
            unit = self._next() if loop.time() < ends else None
            if unit is None:
                break
            await self._carry(unit, outcome)

    async def _carry(self, unit: _Unit, outcome: "asyncio.Future[BaseException | None]") -> None:
        if unit.entered.cancelled():
            return
        self.connection.execute("SAVEPOINT unit")
        unit.entered.set_result(outcome)
        if not await unit.left:
            self.connection.execute("ROLLBACK TO unit")
        self.connection.execute("RELEASE unit")

    async def _begin(self) -> None:
        if not self._turn.begin_now():
            await self._in_thread(self._turn.begin)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self.thread, work)

    def _commit(self) -> None:
        self.connection.execute("COMMIT")

    def _rollback(self) -> None:
        with suppress(sqlite3.OperationalError):
            self.connection.execute("ROLLBACK")


async def _committed(outcome: "asyncio.Future[BaseException | None]") -> None:
    try:
        error = await asyncio.shield(outcome)
    except asyncio.CancelledError:
        # Whoever cancelled may look at once whether it is written: by then it must be certain.
        await asyncio.wait([outcome])
        raise
    if error is not None:
        raise NotCommitted(str(error)) from error
