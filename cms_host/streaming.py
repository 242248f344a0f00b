"""Answers that are sent piece by piece, for what would be too large to hold in memory."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing

from aiohttp import hdrs, web

from cms_host.connections import SERVER
from cms_host.logs import REQUEST_ID

log = logging.getLogger("cms_host.streaming")
#: Seconds in which a client has to take in one piece.
PATIENCE = 60.0


async def stream(
    request: web.Request, pieces: AsyncGenerator[bytes], content_type: str, patience: float = PATIENCE
) -> web.StreamResponse:
    """Send the pieces as they come; a client that is gone, or takes nothing in any more, ends it.

    What goes wrong before the first piece becomes an error as any other. Later the connection is cut, so that nobody
    takes what was sent for the whole.

    :param pieces: holds nothing between two pieces that others wait for, such as a connection to the database.
    :param content_type: the whole header.
    """
    async with aclosing(pieces) as coming:
        first = await anext(coming, b"")
        response = web.StreamResponse(headers={hdrs.CONTENT_TYPE: content_type, hdrs.SERVER: SERVER})
        response.headers["X-Request-Id"] = REQUEST_ID.get()
        await response.prepare(request)
        if request.method != hdrs.METH_HEAD:
            try:
                await _send(response, first, coming, patience)
            except (ConnectionError, TimeoutError):
                _cut(request)
            except Exception:
                log.exception("answer broke off", extra={"method": request.method, "path": request.path})
                _cut(request)
    return response


async def _send(response: web.StreamResponse, first: bytes, coming: AsyncGenerator[bytes], patience: float) -> None:
    await _within(patience, response, first)
    async for piece in coming:
        await _within(patience, response, piece)


async def _within(patience: float, response: web.StreamResponse, piece: bytes) -> None:
    async with asyncio.timeout(patience):
        await response.write(piece)


def _cut(request: web.Request) -> None:
    if request.transport is not None:
        request.transport.abort()
