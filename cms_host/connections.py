"""HTTP connections that slow clients can't hold open, and that a stop does not cut in two.

aiohttp's server has no time limit for the head or the body of a request, and once it is told to stop it no longer
reads the body of a request under way (docs/decisions/0012).
"""

import asyncio
import logging
from typing import Any

from aiohttp import hdrs, web
from aiohttp.abc import AbstractAccessLogger
from aiohttp.http_exceptions import HttpProcessingError

log = logging.getLogger("cms_host.connections")
#: Told to clients instead of the versions of everything that runs here.
SERVER = "cms-host"
#: Seconds that a connection may stay open without a request.
IDLE = 75
#: Seconds from the first byte of a request's head to its last.
HEAD = 15
#: Seconds over which the speed of a body is looked at, and the bytes that have to arrive in them.
WINDOW = 10
WINDOW_BYTES = WINDOW * 1024
#: Seconds between two looks at all connections.
INTERVAL = 1.0


class Connection(web.RequestHandler):
    """One client's connection, and what is known of its speed."""

    __slots__ = ("_head_since", "_received", "_stop", "_window")

    def __init__(self, server: web.Server, access_logger: AbstractAccessLogger | None, stop: asyncio.Event) -> None:
        loop = asyncio.get_running_loop()
        super().__init__(server, loop=loop, keepalive_timeout=IDLE, access_log=None)  # type: ignore[arg-type]
        # One logger for all connections, where aiohttp would make one for each.
        self.access_logger = access_logger
        self._logging_enabled = access_logger is not None
        self._stop = stop
        self._received = 0
        #: When the first byte of an unfinished head came.
        self._head_since: float | None = None
        #: When the present window of a body began, and the bytes received until then.
        self._window: tuple[float, int] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a request is being answered."""
        return self._request_in_progress

    def is_too_slow(self, now: float) -> bool:
        """Whether the client takes longer over a request than it may; expects to be asked all the time."""
        if self._head_since is not None:
            return now - self._head_since > HEAD
        request = self._current_request
        # Where we stopped reading, it is not the client who is slow.
        if request is None or request.content.is_eof() or self._reading_paused:
            self._window = None
        elif self._window is None:
            self._window = (now, self._received)
        elif now - self._window[0] >= WINDOW:
            before, self._window = self._window, (now, self._received)
            return self._received - before[1] < WINDOW_BYTES
        return False

    def data_received(self, data: bytes) -> None:
        requests, closing = self._request_count, self._close
        # A connection that is to close after this request still has to take in its body.
        self._close = False
        super().data_received(data)
        self._close = closing
        self._received += len(data)
        if self._request_count != requests:
            self._head_since = None
        elif self._head_since is None and self._waiter is not None and not self._waiter.done():
            self._head_since = self._loop.time()

    async def finish_response(
        self, request: web.BaseRequest, resp: web.StreamResponse, start_time: float | None
    ) -> tuple[web.StreamResponse, bool]:
        if isinstance(resp, web.StreamResponse) and not resp.prepared:
            resp.headers.setdefault(hdrs.SERVER, SERVER)
            if self._stop.is_set():
                resp.force_close()
        return await super().finish_response(request, resp, start_time)

    def handle_error(
        self, request: web.BaseRequest, status: int = 500, exc: BaseException | None = None, message: str | None = None
    ) -> web.StreamResponse:
        if not isinstance(exc, HttpProcessingError):
            return super().handle_error(request, status, exc, message)
        # What is no HTTP is the client's fault and no error of ours, which aiohttp would log as one.
        log.info("malformed request", extra={"peer": request.remote, "reason": message})
        response = web.Response(status=status, text=message)
        response.force_close()
        return response


async def cut_slow_clients(server: web.Server) -> None:
    """Look at every connection, all the time, and end those whose clients are too slow."""
    loop = asyncio.get_running_loop()
    while True:
        await asyncio.sleep(INTERVAL)
        for connection in server.connections:
            if isinstance(connection, Connection) and connection.is_too_slow(loop.time()):
                log.info("slow client cut off", extra={"peer": _peer(connection)})
                connection.force_close()


def _peer(connection: Connection) -> Any:
    return connection.peername[0] if connection.peername else None
