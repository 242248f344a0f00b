"""The outermost layer: a request id on everything, and an envelope around everything that goes wrong."""

import logging
import re
import secrets

from aiohttp import web
from aiohttp.typedefs import Handler

from cms_host.envelope import failure
from cms_host.errors import ApiError, InternalError, NotFound
from cms_host.logs import REQUEST_ID

log = logging.getLogger("cms_host.errors")
_SANE_ID = re.compile(r"[A-Za-z0-9._-]{8,64}", re.ASCII)


class MethodNotAllowed(ApiError):
    """Method not allowed"""

    status = 405


class HttpError(ApiError):
    """An HTTP error that aiohttp or a page raised"""

    def __init__(self, error: web.HTTPException) -> None:
        super().__init__(error.reason)
        self.status = error.status


@web.middleware
async def errors(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer every exception, and give every answer but a 429 its request id (contract 1.1)."""
    request_id = _request_id(request)
    REQUEST_ID.set(request_id)
    response = await _answer(request, handler, request_id)
    if response.status != RATE_LIMITED and not response.prepared:
        response.headers["X-Request-Id"] = request_id
    return response


RATE_LIMITED = 429
#: What the access log shows of a request whose client was gone before it was answered; never sent.
CLIENT_GONE = 499


def _request_id(request: web.Request) -> str:
    sent = request.headers.get("X-Request-Id")
    return sent if sent is not None and _SANE_ID.fullmatch(sent) else secrets.token_hex(8)


async def _answer(request: web.Request, handler: Handler, request_id: str) -> web.StreamResponse:
    try:
        return await handler(request)
    except ApiError as error:
        return failure(error)
    except web.HTTPException as error:
        if error.status < 400:
            # A redirect: aiohttp sends what is raised, with the cookies that it may carry.
            error.headers["X-Request-Id"] = request_id
            raise
        return _from_aiohttp(error)
    except Exception as error:
        if isinstance(error, ConnectionError) and request.transport is None:
            # The client left in the middle of its own request: no fault of ours, and nobody to answer.
            return web.Response(status=CLIENT_GONE)
        log.exception("request failed", extra={"method": request.method, "path": request.path})
        return failure(InternalError(request_id))


def _from_aiohttp(error: web.HTTPException) -> web.StreamResponse:
    if isinstance(error, web.HTTPMethodNotAllowed):
        response = failure(MethodNotAllowed())
        response.headers["Allow"] = ", ".join(sorted(error.allowed_methods))
        return response
    return failure(NotFound() if isinstance(error, web.HTTPNotFound) else HttpError(error))
