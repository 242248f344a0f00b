"""A time limit for one act after another, each with its own allowance."""

import asyncio
from collections.abc import Callable, Coroutine
from time import monotonic
from types import TracebackType
from typing import Any, Self, TypeVar

T = TypeVar("T")


class Overrun(Exception):
    """It took longer than it was allowed to."""


class TimeLimit:
    """Holds acts of the current task to a number of seconds each.

    What `asyncio.timeout` does, with two differences. One timer serves all acts of a block, for most of them end long
    before it would ring, and setting it costs more than they do. And an act that was late is told as late even where
    it could not be stopped: because it never let go of the event loop, or because it caught its own cancellation.

    :param seconds: what each act may take.
    :param clock: seconds that only grow.
    """

    __slots__ = ("_clock", "_due", "_seconds", "_stopped", "_task", "_timer")

    def __init__(self, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self._seconds = seconds
        self._clock = clock

    def __enter__(self) -> Self:
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a time limit works inside of a task only")
        self._task = task
        self._stopped = False
        self._due = self._clock() + self._seconds
        self._set_timer(self._seconds)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()

    async def hold(self, act: Coroutine[Any, Any, T]) -> T:
        """What the act gives.

        :raises Overrun: it was late, whatever came of it.
        :raises RuntimeError: it ended itself as if it had been cancelled.
        :raises CancelledError: somebody else cancelled the task.
        """
        self._due = self._clock() + self._seconds
        try:
            result = await act
        except BaseException as error:
            late = self._is_late()
            cancelled = isinstance(error, asyncio.CancelledError)
            if late and (cancelled or isinstance(error, Exception)) and not self._task.cancelling():
                raise Overrun from error
            if cancelled and not self._task.cancelling():
                raise RuntimeError("cancelled by nobody but itself") from error
            raise
        if self._is_late():
            raise Overrun
        return result

    def _is_late(self) -> bool:
        """Whether the act that just ended took too long; the task and the timer are as before it."""
        if self._stopped:
            self._stopped = False
            self._task.uncancel()
            self._set_timer(self._seconds)
            return True
        return self._clock() > self._due

    def _ring(self) -> None:
        """The timer's call: it was set for an earlier act, or this one is late."""
        left = self._due - self._clock()
        if left > 0:
            self._set_timer(left)
        else:
            self._stopped = True
            self._task.cancel()

    def _set_timer(self, seconds: float) -> None:
        self._timer = self._task.get_loop().call_later(seconds, self._ring)
