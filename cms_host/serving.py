"""One serving process: from sockets to the last answer."""

import asyncio
import gc
import logging
import resource
import signal
import socket
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import cast

from aiohttp import web

from cms_host.app import build_app
from cms_host.config import Config
from cms_host.connections import Connection, cut_slow_clients
from cms_host.limiter import Limiter
from cms_host.logs import AccessLogger, LineHandler

log = logging.getLogger("cms_host.serving")
#: Connections that the kernel keeps until they are accepted.
BACKLOG = 1024
#: Seconds between two looks at whether every request under way is answered.
POLL = 0.05
#: Seconds in which a second signal is the first one again: `timeout`, for one, signals a process and its group.
SAME_SIGNAL = 0.5
#: File descriptors that a process asks for.
OPEN_FILES = 65_536


async def serve(
    config: Config,
    sockets: Sequence[socket.socket],
    logs: LineHandler,
    stop: asyncio.Event,
    ready: Callable[[], None],
    limiter: Limiter | None = None,
) -> None:
    """Answer requests on bound sockets until `stop` is set; then finish those under way.

    :param ready: called when connections are accepted.
    :param limiter: shared with other processes; its own one where none is given.
    :raises PluginErrors: the plugins can't be loaded. :raises DatabaseUnavailable: it cannot be reached.
    """
    runner = web.AppRunner(build_app(config, limiter=limiter), shutdown_timeout=POLL)
    try:
        await runner.setup()
        # What the host is made of stays until the end: the collector would go over it for a tenth of a second, again
        # and again, while everybody waits.
        gc.collect()
        gc.freeze()
        server = cast("web.Server", runner.server)
        access_logger = _access_logger(config, logs)
        watch = asyncio.create_task(cut_slow_clients(server))
        async with _listening(sockets, lambda: Connection(server, access_logger, stop)):
            ready()
            log.info("accepting connections", extra={"addresses": [each.getsockname()[:2] for each in sockets]})
            await stop.wait()
            log.info("stopping")
        await _drain(server, config.shutdown_timeout)
        watch.cancel()
    finally:
        await runner.cleanup()


@asynccontextmanager
async def stopping_on(*signals: signal.Signals, insistent: bool = True) -> AsyncIterator[asyncio.Event]:
    """An event that the first of these signals sets.

    :param insistent: a later one ends the process at once, even if it hangs; otherwise later ones are ignored.
    """
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()

    def received() -> None:
        later = _ending_at_once(time.monotonic() + SAME_SIGNAL) if insistent else signal.SIG_IGN
        for each in signals:
            loop.remove_signal_handler(each)
            signal.signal(each, later)
        stop.set()

    for each in signals:
        loop.add_signal_handler(each, received)
    try:
        yield stop
    finally:
        for each in signals:
            loop.remove_signal_handler(each)


def _ending_at_once(begin: float) -> Callable[[int, object], None]:
    def handle(number: int, _: object) -> None:
        if time.monotonic() >= begin:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

    return handle


def allow_many_connections() -> None:
    """Raise the soft limit of open files: each connection is one, and the usual 1024 are few."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


@asynccontextmanager
async def _listening(sockets: Sequence[socket.socket], make: Callable[[], Connection]) -> AsyncIterator[None]:
    loop = asyncio.get_running_loop()
    listeners = [await loop.create_server(make, sock=each, backlog=BACKLOG) for each in sockets]
    try:
        yield
    finally:
        # Closing a listener resets what waits in its queue, so these clients are let in first.
        waiting = [client for each in sockets for client in _accept_all(each)]
        for listener in listeners:
            listener.close()
        for client in waiting:
            await loop.connect_accepted_socket(make, client)


def _accept_all(listener: socket.socket) -> Iterator[socket.socket]:
    with suppress(OSError):  # There is no other, or there are too many open files.
        while True:
            client, _ = listener.accept()
            client.setblocking(False)
            yield client


def _access_logger(config: Config, logs: LineHandler) -> AccessLogger | None:
    return AccessLogger(logs) if config.access_log and log.isEnabledFor(logging.INFO) else None


async def _drain(server: web.Server, seconds: float) -> None:
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    # Requests that are on their way at this moment become requests under way.
    await asyncio.sleep(POLL)
    server.pre_shutdown()
    while busy := sum(isinstance(each, Connection) and each.is_busy for each in server.connections):
        if loop.time() >= deadline:
            log.warning("requests cut off by the stop", extra={"requests": busy})
            return
        await asyncio.sleep(POLL)
