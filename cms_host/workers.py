"""The killable pool for CPU work (sanitising, Markdown, images): off the event loop, never without an end.

One `Workers` per app. Processes are started when work first needs them, or beforehand by `start`.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable
from typing import TypeVar, TypeVarTuple, cast

from cms_host.errors import Busy
from cms_host.worker_process import TooComplex, WorkerLostError, WorkerProcess, WorkerSettings

__all__ = ["Busy", "TooComplex", "Workers"]

logger = logging.getLogger(__name__)

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

#: A job is begun only while this share of its time is left; what waited longer is turned away as `Busy`. So a
#: job that is refused as too complex always had a worker to itself for at least this share.
SHARE_TO_BEGIN = 1 / 3
#: A job whose time is over is too complex if it had a processor for this share of its time. One that had less was
#: kept waiting by a machine with too much to do: `Busy`, for the same job may do well in a minute. It is less than the
#: share that is left at the latest beginning.
FAIR_SHARE = 1 / 5
#: The shortest wait, in seconds, before a job in line looks at the clock again, which may stand still.
SHORTEST_WAIT = 0.01


class Workers:
    """At most `size` worker processes, and at most `queue` jobs that wait for one.

    `modules` are imported by every worker before its first job counts; plugins add theirs with `warm_up`.
    `memory_limit` is the address space that one worker may use, in bytes; `niceness` lowers the workers'
    priority; `start_timeout` is how long a worker may take to start, in seconds, and `time_limit` how long a
    job may take whose caller names no other; `fair_share` is told above.
    """

    def __init__(
        self,
        size: int = 2,
        queue: int = 16,
        *,
        modules: tuple[str, ...] = (),
        memory_limit: int = 1 << 30,
        niceness: int = 5,
        start_timeout: float = 30.0,
        time_limit: float = 1.5,
        fair_share: float = FAIR_SHARE,
    ) -> None:
        self._size = size
        self._queue = queue
        self._settings = WorkerSettings(modules, memory_limit, niceness)
        self._start_timeout = start_timeout
        self._time_limit = time_limit
        self._fair_share = fair_share
        self._closed = False
        self._clock = UptimeClock()
        self._up: set[WorkerProcess] = set()
        self._idle: list[WorkerProcess] = []
        self._waiters: deque[asyncio.Future[WorkerProcess]] = deque()
        self._starting: set[asyncio.Task[None]] = set()
        self._closing: set[asyncio.Task[None]] = set()

    def warm_up(self, *modules: str) -> None:
        """Have every worker that starts from now on import `modules` before its first job."""
        known = self._settings.modules
        self._settings = self._settings._replace(modules=tuple(dict.fromkeys(known + modules)))

    async def start(self) -> None:
        """Start all workers and return when they are ready. Without it `run` starts them as they are needed.

        Raises `RuntimeError` when none could be started; the reasons are in the log.
        """
        self._grow(self._size)
        if self._starting:
            await asyncio.wait(self._starting)
        if not self._up:
            raise RuntimeError("No worker process could be started")

    async def run(
        self,
        function: Callable[[*Ts], T],
        *args: *Ts,
        timeout: float | None = None,  # noqa: ASYNC109 - a budget that the queue and the job share, not a deadline of the caller's
    ) -> T:
        """Run `function(*args)` in a worker and give its result, or raise what it raised.

        `function` can be imported by its name; it, its arguments and its result can be pickled. `timeout`
        counts in seconds from now on, the wait for a free worker included, and stands still while no worker
        is up (not yet, or not again); without one it is `time_limit`.

        Raises `TooComplex` when the time is over (the worker is killed), when the job ran out of memory or
        stack, or took the worker down with it. Raises `Busy` when `queue` jobs wait already, or when this one
        waited too long to be begun, or for a processor.
        """
        timeout = self._time_limit if timeout is None else timeout
        expires = self._clock.now() + timeout
        for _ in range(2):
            worker = await self._take(expires - timeout * SHARE_TO_BEGIN)
            try:
                result = await worker.run(function, args, expires - self._clock.now(), timeout * self._fair_share)
                return cast("T", result)
            except WorkerLostError:
                # It died while it was idle, which is not the fault of this job: another worker takes it.
                logger.warning("A worker process was found dead and is replaced")
            except TooComplex:
                logger.warning("%s was given up: too complex for %s s", function, timeout)
                raise
            finally:
                self._give_back(worker)
        raise Busy

    async def close(self) -> None:
        """End all workers and wait until they are gone. What still runs or waits fails with `Busy`."""
        self._closed = True
        self._fail_waiters(Busy())
        for task in self._starting:
            task.cancel()
        for worker in tuple(self._up):
            self._retire(worker)
        while self._starting or self._closing:
            await asyncio.wait(self._starting | self._closing)

    async def _take(self, begin_by: float) -> WorkerProcess:
        """Give an idle worker, waiting in line for one until the clock shows `begin_by`. Raises `Busy`."""
        if self._closed or self._clock.now() >= begin_by:
            raise Busy
        if self._idle:
            return self._idle.pop()
        self._grow(1)
        # For every worker that is starting there is one job that does not really wait in line.
        if len(self._waiters) >= self._queue + len(self._starting):
            raise Busy
        waiter: asyncio.Future[WorkerProcess] = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        try:
            return await self._wait_in_line(waiter, begin_by)
        except asyncio.CancelledError:
            if waiter.done() and not waiter.exception():
                self._give_back(waiter.result())
            raise
        finally:
            if waiter in self._waiters:
                self._waiters.remove(waiter)

    async def _wait_in_line(self, waiter: "asyncio.Future[WorkerProcess]", begin_by: float) -> WorkerProcess:
        while not waiter.done():
            left = begin_by - self._clock.now()
            if left <= 0:
                raise Busy
            await asyncio.wait((waiter,), timeout=max(left, SHORTEST_WAIT))
        return waiter.result()

    def _give_back(self, worker: WorkerProcess) -> None:
        """Hand a worker to the next job in line, or replace it when it did not survive its last one."""
        if not worker.alive:
            self._retire(worker)
            self._grow(1)
        elif self._waiters:
            self._waiters.popleft().set_result(worker)
        else:
            self._idle.append(worker)

    def _grow(self, count: int) -> None:
        """Begin to start `count` more workers, as far as `size` allows."""
        room = 0 if self._closed else self._size - len(self._up) - len(self._starting)
        for _ in range(min(count, room)):
            task = asyncio.create_task(self._start_one())
            self._starting.add(task)
            task.add_done_callback(self._starting.discard)

    async def _start_one(self) -> None:
        worker = WorkerProcess(self._settings)
        try:
            async with asyncio.timeout(self._start_timeout):
                await worker.start()
        except asyncio.CancelledError:
            await worker.close()
            raise
        except Exception as error:
            logger.exception("A worker process did not start")
            await worker.close()
            if not self._up:
                self._fail_waiters(error)
            return
        self._up.add(worker)
        self._clock.go()
        self._give_back(worker)

    def _retire(self, worker: WorkerProcess) -> None:
        """Forget a worker, kill it, and see to its end in the background."""
        if worker not in self._up:
            return
        self._up.remove(worker)
        if worker in self._idle:
            self._idle.remove(worker)
        if not self._up:
            self._clock.stand()
        task = asyncio.create_task(worker.close())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    def _fail_waiters(self, error: Exception) -> None:
        while self._waiters:
            self._waiters.popleft().set_exception(error)


class UptimeClock:
    """Counts the seconds during which a worker is up: it runs from `go` to `stand`, again and again."""

    def __init__(self) -> None:
        self._counted = 0.0
        self._since: float | None = None

    def now(self) -> float:
        """Give the seconds counted so far."""
        if self._since is None:
            return self._counted
        return self._counted + time.monotonic() - self._since

    def go(self) -> None:
        """Let the clock run from now on."""
        if self._since is None:
            self._since = time.monotonic()

    def stand(self) -> None:
        """Let the clock stand still from now on."""
        self._counted = self.now()
        self._since = None
