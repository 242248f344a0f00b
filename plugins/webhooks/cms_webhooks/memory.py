"""Signed calls are remembered: whoever repeats one, be it the caller or a thief, gets the first answer (contract 6)."""

from collections.abc import Awaitable, Callable
from functools import partial, wraps
from typing import NamedTuple

from aiohttp import web

from cms_host.api import Scope, alone, attempt_of, first_answer, unit_of

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
#: Microseconds for which the answer to a signed call is given again.
REMEMBERED = 10 * 60 * 1_000_000


class Signed(NamedTuple):
    """By what a call was recognised. The action is as we know it, however its path was spelt."""

    action: str
    digest: bytes


class UnderWay(set[str]):
    """Signed calls that this process is at work on."""


SIGNED = web.RequestKey("signed", Signed)


def note(request: web.Request, signed: Signed) -> None:
    """The call was recognised by this."""
    request[SIGNED] = signed


def once_signed(handler: Handler) -> Handler:
    """The handler of an action that writes: a signed call is carried out once, with or without an `Idempotency-Key`.

    Whoever repeats what he overheard can send any key along, for headers are not signed.
    """

    @wraps(handler)
    async def remembered(request: web.Request) -> web.StreamResponse:
        signed = request.get(SIGNED)
        if signed is None:
            return await handler(request)
        unit = unit_of(request)
        # No client can send a key with a blank in it.
        scope = Scope(unit.principal.user_id, "POST", signed.action, f"signature {signed.digest.hex()}")
        attempt = attempt_of(request, unit.host, scope, REMEMBERED)
        unit.attempts = (*unit.attempts, attempt)
        with alone(attempt, unit.host.one(UnderWay)):
            return await first_answer(unit, partial(handler, request))

    return remembered
