"""One child process that runs one job at a time and can be killed at any moment.

`cms_host.workers` keeps several of them behind a queue; nothing else uses this module.

Every process has a pebble pool of its own, of one worker. Workers of one pebble pool share a pipe and two
locks: a worker that is killed while it holds a lock, or halfway through a message, takes the pool with it.
With a pool each, a killed process is thrown away together with its pipe, and the others never notice.
"""

import asyncio
import gc
import importlib
import logging
import multiprocessing
import os
import resource
import signal
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import resource_tracker
from typing import Any, NamedTuple

from pebble import ProcessExpired, ProcessPool

from cms_host.cpu_time import cpu_seconds
from cms_host.errors import Busy, Unprocessable

logger = logging.getLogger(__name__)

#: Seconds that a job may overrun before its own process ends it. The parent is faster, unless it is gone.
WATCHDOG_GRACE = 5.0


class TooComplex(Unprocessable):
    """The content is too complex to process within its time limit"""


class WorkerLostError(Exception):
    """The process was gone before it took the job"""


class WorkerSettings(NamedTuple):
    """How a worker process treats itself before its first job."""

    #: Modules to import before the process counts as ready.
    modules: tuple[str, ...]
    #: Bytes of address space (RLIMIT_AS).
    memory_limit: int
    #: Added to the process' niceness, so that the event loops come first.
    niceness: int


class WorkerProcess:
    """A spawned process: `start`, then `run` one job after the other, then `close`.

    `alive` turns false, for good, as soon as the process was killed or found dead.
    """

    def __init__(self, settings: WorkerSettings) -> None:
        self.alive = True
        self._settings = settings
        self._pid = 0
        self._answer: asyncio.Future[Any] | None = None
        self._pool = ProcessPool(max_workers=1, context=multiprocessing.get_context("spawn"))

    async def start(self) -> None:
        """Return when the process has imported its modules and waits for work.

        Raises whatever kept it from starting.
        """
        ready = await asyncio.to_thread(self._spawn)
        self._pid = await asyncio.wrap_future(ready)

    async def run(self, function: Callable[..., Any], args: tuple[Any, ...], seconds: float, fair: float) -> Any:
        """Run `function(*args)` for at most `seconds`; give what it returns or raise what it raises.

        Raises `TooComplex` when the time is over, memory or stack gave out, or the process died over the
        job; `WorkerLostError` when it was dead already. Cancelling kills the process.

        Raises `Busy` when the time is over and the process had a processor for less than `fair` seconds of it.
        """
        loop = asyncio.get_running_loop()
        answer = self._answer = loop.create_future()
        timer = loop.call_later(seconds, self._expire, cpu_seconds(self._pid), fair)
        try:
            job = self._schedule(function, args, seconds)
            job.add_done_callback(lambda job: loop.call_soon_threadsafe(self._settle, answer, job))
            return await answer
        except asyncio.CancelledError:
            self.kill(Busy())
            raise
        finally:
            timer.cancel()
            self._answer = None

    def _expire(self, before: float | None, fair: float) -> None:
        """The time is over, which says something of the job only if it was at work meanwhile."""
        now = cpu_seconds(self._pid)
        is_starved = before is not None and now is not None and now - before < fair
        if is_starved:
            logger.warning(
                "A worker process had no processor for %s s in its time: the machine has too much to do", fair
            )
        self.kill(Busy() if is_starved else TooComplex())

    def kill(self, reason: Exception) -> None:
        """End the process now; a job under way fails with `reason`. `close` has still to be awaited."""
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(reason)
        self.alive = False
        # A running pool would replace the process that we are about to kill.
        self._pool.stop()
        # pebble would send SIGTERM and be patient for three seconds: Python sees no signal while it is inside
        # C code. Asking for our child makes sure that the id has not gone to a stranger's process meanwhile.
        for child in multiprocessing.active_children():
            if child.pid == self._pid:
                child.kill()

    async def close(self) -> None:
        """Kill the process and wait until it is gone, and its threads and pipes with it."""
        self.kill(Busy())
        await asyncio.to_thread(self._pool.join)

    def _spawn(self) -> "Future[int]":
        """Start the process, in a helper thread: it takes some 30 ms, which the event loop is to be spared.

        An interrupt from the keyboard goes to every process of the terminal. The child inherits this thread's
        mask, so it is deaf to it from its first instruction. The resource tracker has to be up before, for
        starting it resets the mask.
        """
        resource_tracker.ensure_running()
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            ready: Future[int] = self._pool.schedule(_prepare, args=self._settings)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        return ready

    def _schedule(self, function: Callable[..., Any], args: tuple[Any, ...], seconds: float) -> "Future[Any]":
        try:
            job: Future[Any] = self._pool.schedule(_perform, args=(function, args, seconds))
        except RuntimeError as error:
            # With no job to blame, pebble answers the death of a worker with the end of the whole pool.
            self.alive = False
            raise WorkerLostError from error
        return job

    def _settle(self, answer: "asyncio.Future[Any]", job: "Future[Any]") -> None:
        """Carry the outcome of a job over to the event loop (and run on it)."""
        if answer.done():
            return
        error = job.exception()
        if error is None:
            answer.set_result(job.result())
        elif isinstance(error, BrokenProcessPool):
            self.kill(WorkerLostError())
        elif isinstance(error, ProcessExpired | MemoryError):
            self.kill(TooComplex())
        elif isinstance(error, RecursionError):
            answer.set_exception(TooComplex())
        elif isinstance(error, Exception) and not isinstance(error, StopIteration):
            answer.set_exception(error)
        else:
            # SystemExit and its like would end the event loop instead of the request.
            answer.set_exception(RuntimeError(f"a job raised {error!r}"))


def _prepare(modules: Iterable[str], memory_limit: int, niceness: int) -> int:
    """Run in the new process before its first job; give its id.

    This is a job like the others, and no pebble initializer: the errors of those end in a log of the child's.
    """
    os.nice(niceness)
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    allowed = memory_limit if hard == resource.RLIM_INFINITY else min(memory_limit, hard)
    resource.setrlimit(resource.RLIMIT_AS, (allowed, hard))
    for name in modules:
        importlib.import_module(name)
    # Modules live for ever: the collector need not look at them again during every job.
    gc.freeze()
    # A supervisor may send SIGTERM to the whole group. Jobs of requests that are being drained go on; the
    # parent ends us with SIGKILL, or by closing the pipe.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    return os.getpid()


def _perform(function: Callable[..., Any], args: tuple[Any, ...], seconds: float) -> Any:
    """Run a job in the worker, under an alarm that ends the process should the parent have died meanwhile."""
    signal.setitimer(signal.ITIMER_REAL, seconds + WATCHDOG_GRACE)
    try:
        return function(*args)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
