"""The one JSON body reader (contract 1.9, 2): size, content type, JSON, and only then fields."""

import json
import math
import unicodedata
from typing import Any

from aiohttp import web

from cms_host.errors import BadRequest, TooLarge, UnsupportedMediaType

JSON_TYPES = ("application/json",)
MAX_DEPTH = 64
_INTEGERS = range(-(2**63), 2**63)
_RAW = web.RequestKey("raw_body", bytes)


async def read_json(request: web.Request, limit: int) -> dict[str, Any]:
    """The request's JSON object; an empty body is an empty object.

    Strings come back in Unicode's NFC form.

    :param limit: largest body in bytes.
    :raises TooLarge: the body is larger. :raises UnsupportedMediaType: it is not declared as JSON in UTF-8.
    :raises BadRequest: it is not well-formed, or holds what no field may hold.
    """
    raw = await read_raw(request, limit)
    if not raw.strip():
        return {}
    if not _is_json(request):
        raise UnsupportedMediaType("Send the body as Content-Type: application/json (UTF-8)")
    value = _normalised(_parse(raw), 1)
    if not isinstance(value, dict):
        raise BadRequest("The JSON body must be an object")
    return value


async def read_raw(request: web.Request, limit: int) -> bytes:
    """The request's body as it was sent, however often it is asked for.

    :param limit: largest body in bytes.
    :raises TooLarge: the body is larger. :raises BadRequest: it does not arrive whole.
    """
    raw = request.get(_RAW)
    if raw is None:
        raw = request[_RAW] = await _read(request, limit)
        if len(raw) != request.content.total_bytes:
            raise RuntimeError("part of the body was read by other means than those of cms_host.api")
    return raw


def was_read(request: web.Request) -> bool:
    """Whether :func:`read_raw` has the body."""
    return _RAW in request


async def _read(request: web.Request, limit: int) -> bytes:
    if (request.content_length or 0) > limit:
        raise _too_large(limit)
    chunks = bytearray()
    try:
        async for chunk in request.content.iter_any():
            chunks += chunk
            if len(chunks) > limit:
                raise _too_large(limit)
    except web.RequestPayloadError as error:
        raise BadRequest("The body does not arrive as its headers say") from error
    return bytes(chunks)


def _too_large(limit: int) -> TooLarge:
    return TooLarge(f"The body is larger than {limit} bytes (setting max_body_bytes)")


def _is_json(request: web.Request) -> bool:
    kind = request.content_type
    if kind not in JSON_TYPES and not (kind.startswith("application/") and kind.endswith("+json")):
        return False
    return (request.charset or "utf-8").lower() in ("utf-8", "utf8")


def _parse(raw: bytes) -> Any:
    try:
        return json.loads(raw.decode("utf-8"), parse_constant=_refuse_constant, object_pairs_hook=_unique_pairs)
    except (ValueError, RecursionError) as error:
        # UnicodeDecodeError and JSONDecodeError are ValueErrors; a BOM and digits without end are refused as such too.
        raise BadRequest("Malformed JSON body") from error


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _unique_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a key occurs twice")
    return result


def _normalised(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict | list) and depth > MAX_DEPTH:
        raise BadRequest(f"The JSON body is nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, dict):
        return {_text(key): _normalised(each, depth + 1) for key, each in value.items()}
    if isinstance(value, list):
        return [_normalised(each, depth + 1) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        raise BadRequest("The JSON body holds a number that is too large")
    if type(value) is int and value not in _INTEGERS:
        raise BadRequest("The JSON body holds an integer of more than 64 bits")
    return value


def _text(value: str) -> str:
    if "\0" in value:
        raise BadRequest("The JSON body holds a NUL character")
    if value.isascii():
        return value
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise BadRequest("The JSON body holds half of a surrogate pair") from error
    return unicodedata.normalize("NFC", value)
