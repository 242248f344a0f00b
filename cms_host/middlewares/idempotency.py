"""Around the handler of a POST: what was carried out under the same `Idempotency-Key` is not carried out again."""

import logging
import re
from functools import partial

from aiohttp import web

from cms_host.errors import BadRequest
from cms_host.idempotency import Scope, alone, attempt_of, first_answer
from cms_host.routing import Handler
from cms_host.services import unit_of

log = logging.getLogger("cms_host.idempotency")
HEADER = "Idempotency-Key"
KEY_FORM = r"[!-~]{1,255}"
_KEY = re.compile(KEY_FORM)


def once(handler: Handler, under_way: set[str]) -> Handler:
    """The handler, which keeps its success under the caller's key; without the header nothing is added.

    :param under_way: the scopes that this process is at work on; the same for all handlers of an application.
    """

    async def keyed(request: web.Request) -> web.StreamResponse:
        if HEADER not in request.headers:
            return await handler(request)
        unit = unit_of(request)
        attempt = attempt_of(request, unit.host, _scope(request))
        unit.attempts = (attempt,)
        with alone(attempt, under_way):
            response = await first_answer(unit, partial(handler, request))
        if attempt.kept is False and response.status < 300:
            # A client that repeats this does it twice: a fault of the handler that only its author can mend.
            log.warning("an answer is not kept: it was not given inside the transaction", extra={"path": request.path})
        return response

    return keyed


def _scope(request: web.Request) -> Scope:
    keys = request.headers.getall(HEADER)
    if len(keys) > 1 or not _KEY.fullmatch(keys[0]):
        raise BadRequest(f"{HEADER} must be sent once, with 1 to 255 visible ASCII characters")
    # An encoded slash is no separator, hence not the path that is decoded throughout.
    path = request.rel_url.path_safe.rstrip("/")
    return Scope(unit_of(request).principal.user_id, request.method, path, keys[0])
