"""Several serving processes on one port: they are forked, watched, replaced when they die, and stopped together.

Plain synchronous code without threads, because it forks (docs/decisions/0010).
"""

import logging
import math
import multiprocessing
import os
import signal
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess

from cms_host.serving import SAME_SIGNAL

log = logging.getLogger("cms_host.supervisor")
#: What a serving process runs: its number, the read end of a pipe that ends with the supervisor, and what to
#: call when it accepts connections.
Work = Callable[[int, int, Callable[[], None]], None]
STOPPING = (signal.SIGTERM, signal.SIGINT)
#: Seconds before a process that died is replaced: the first for one that lived, doubled for each that did not.
FIRST_DELAY = 0.1
LONGEST_DELAY = 30.0
#: Seconds after which a process counts as one that lived.
STEADY = 10.0


@dataclass(slots=True)
class Slot:
    """One place for a serving process."""

    number: int
    process: ForkProcess | None = None
    started: float = 0.0
    #: When the next one is started, while there is none.
    due: float = 0.0
    #: Processes in a row that died young.
    failures: int = 0
    ready: Connection | None = field(default=None, repr=False)

    def lost(self, now: float) -> float:
        """Note the death of the process; gives the seconds until the next is started."""
        self.failures = 0 if now - self.started >= STEADY else self.failures + 1
        delay = min(FIRST_DELAY * 2.0 ** max(0, self.failures - 1), LONGEST_DELAY)
        self.process, self.due = None, now + delay
        return delay


class Supervisor:
    """Runs `work` in several processes until it is told to stop by SIGTERM or SIGINT.

    :param patience: seconds that the processes get to end after they were told to; a second signal ends it.
    """

    def __init__(self, work: Work, count: int, patience: float) -> None:
        self._work = work
        self._patience = patience
        self._slots = [Slot(number) for number in range(count)]
        self._signals = 0
        self._last_signal = -math.inf

    def run(self, started: Callable[[], None]) -> bool:
        """Start all, call `started` when each accepts connections, replace what dies, and stop all in the end.

        Returns False, and leaves nothing running, when one of them ended before it accepted connections.
        """
        # Whoever holds the read end of this pipe learns from its end that the supervisor is gone.
        self._lifeline, held = os.pipe()
        with _closing(self._lifeline, held), self._listening_to_signals(held):
            try:
                for slot in self._slots:
                    self._start(slot)
                complete = self._wait_for_all()
                if complete and not self._signals:
                    started()
                    self._watch()
            finally:
                self._stop()
        return complete

    @property
    def _running(self) -> list[ForkProcess]:
        return [slot.process for slot in self._slots if slot.process is not None]

    @contextmanager
    def _listening_to_signals(self, held: int) -> Iterator[None]:
        self._wake, waker = socket.socketpair()
        with self._wake, waker:
            self._held = (held, waker.fileno())
            waker.setblocking(False)
            self._wake.setblocking(False)
            before = signal.set_wakeup_fd(waker.fileno(), warn_on_full_buffer=False)
            handlers = {each: signal.signal(each, self._received) for each in STOPPING}
            try:
                yield
            finally:
                for each, handler in handlers.items():
                    signal.signal(each, handler)
                signal.set_wakeup_fd(before)

    def _received(self, *_: object) -> None:
        now = time.monotonic()
        if now - self._last_signal >= SAME_SIGNAL:
            self._signals += 1
            self._last_signal = now

    def _start(self, slot: Slot) -> None:
        slot.ready, ready = multiprocessing.Pipe(duplex=False)
        slot.started = time.monotonic()
        process = ForkProcess(target=self._child, args=(slot.number, ready), name=f"serve {slot.number}")
        # A signal that comes before the child minds its own signals must wait for that.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        slot.process = process
        ready.close()

    def _child(self, number: int, ready: Connection) -> None:
        signal.set_wakeup_fd(-1)
        for each in self._held:
            os.close(each)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        # The keyboard's interrupt reaches the whole group; the supervisor passes it on as SIGTERM.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)
        self._work(number, self._lifeline, lambda: ready.send(True))

    def _wait_for_all(self) -> bool:
        waiting = [slot.ready for slot in self._slots if slot.ready is not None]
        while waiting and not self._signals:
            for each in wait([*waiting, self._wake]):
                if isinstance(each, Connection):
                    waiting.remove(each)
                    if not _is_ready(each):
                        return False
        return True

    def _watch(self) -> None:
        while not self._signals:
            now = time.monotonic()
            for slot in self._slots:
                if slot.process is None and slot.due <= now:
                    self._start(slot)
            due = [slot.due - now for slot in self._slots if slot.process is None]
            self._wait(self._running, min(due, default=None))
            for slot in self._slots:
                self._reap(slot)

    def _reap(self, slot: Slot) -> None:
        if slot.process is None or slot.process.exitcode is None:
            return
        status, pid = slot.process.exitcode, slot.process.pid
        delay = slot.lost(time.monotonic())
        log.error("serving process died", extra={"pid": pid, "status": status, "replaced_in_seconds": delay})

    def _stop(self) -> None:
        for process in self._running:
            process.terminate()
        deadline = time.monotonic() + self._patience
        while (alive := [each for each in self._running if each.is_alive()]) and self._signals < 2:
            left = deadline - time.monotonic()
            if left <= 0:
                break
            self._wait(alive, left)
        for process in self._running:
            if process.is_alive():
                log.error("serving process killed, for it did not stop", extra={"pid": process.pid})
                process.kill()
            process.join()

    def _wait(self, processes: Iterable[ForkProcess], timeout: float | None) -> None:
        """Until one of them ends, a signal comes, or the time (seconds) is over."""
        if self._wake in wait([*(each.sentinel for each in processes), self._wake], timeout):
            self._wake.recv(4096)


def _is_ready(end: Connection) -> bool:
    try:
        return bool(end.recv())
    except EOFError:
        return False


@contextmanager
def _closing(*descriptors: int) -> Iterator[None]:
    try:
        yield
    finally:
        for each in descriptors:
            os.close(each)
