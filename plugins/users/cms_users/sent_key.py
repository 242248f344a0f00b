"""The key that a request carries, in whichever of the three headers (spec, Authentication 2)."""

from collections.abc import Sequence

from aiohttp import web

from cms_host.api import Unauthorized

#: Longer ones can't be keys (contract 1.3).
MAX_LENGTH = 256
_HEADERS = ("X-API-Key", "Api-Key")
_BEARER = "bearer "


def sent_key(request: web.Request) -> tuple[str, str] | None:
    """The header and the key that came in it; None without any.

    :raises Unauthorized: two headers differ, or a key is not one that could exist.
    """
    found = _sent(request)
    if not found:
        return None
    first = found[0]
    key = first[1]
    if len(found) > 1 and any(other != key for _, other in found):
        raise Unauthorized
    if not key.isascii() or len(key) > MAX_LENGTH:
        raise Unauthorized
    return first


def carries_key(request: web.Request) -> bool:
    """Whether the request carries an API key, be it good or not: then nothing else counts (contract 6)."""
    return bool(_sent(request))


def _sent(request: web.Request) -> Sequence[tuple[str, str]]:
    headers = request.headers
    found = [(name, value) for name in _HEADERS for value in headers.getall(name, ())]
    bearers = [value for value in headers.getall("Authorization", ()) if value[: len(_BEARER)].lower() == _BEARER]
    return [*found, *(("Authorization", value[len(_BEARER) :]) for value in bearers)]
