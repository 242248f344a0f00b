"""The one reader of multipart bodies: one file, which goes to the disk as it comes, and short text fields beside it."""

import hashlib
import json
from collections.abc import AsyncIterator
from typing import Any, NamedTuple, Protocol
from unicodedata import normalize

from aiohttp import BadContentDispositionHeader, BadContentDispositionParam, BodyPartReader, web
from aiohttp.http_exceptions import HttpProcessingError

from cms_host.errors import BadRequest, FieldError, FieldErrors, TooLarge, UnsupportedMediaType
from cms_host.receiving import ReceivedFile, Receiving, upload_too_large
from cms_host.schema import Schema, load

FORM = "multipart/form-data"
#: The name of the part that is the file.
FILE = "file"
#: Most bytes of everything beside the file, boundaries and headers included, and most parts.
MOST_BESIDE, MOST_PARTS = 64 * 1024, 100
#: Bytes that are read at a time.
CHUNK = 64 * 1024
#: What a part may say of its transfer: that its bytes are as they are.
_AS_THEY_ARE = ("", "7bit", "8bit", "binary")
#: What aiohttp's reader stumbles with over a body that is none (RELIABILITY 1.4).
_STUMBLES = (
    ValueError,
    LookupError,
    AssertionError,
    RuntimeError,
    HttpProcessingError,
    web.RequestPayloadError,
    # Of headers that make no sense; raised where warnings are errors, and a part without a name otherwise.
    BadContentDispositionHeader,
    BadContentDispositionParam,
)
_FINGERPRINT = web.RequestKey("form_fingerprint", str)


class Form(NamedTuple):
    """A form as it was sent: the fields that the schema knows, and the file."""

    fields: dict[str, Any]
    file: ReceivedFile


class _Sink(Protocol):
    async def write(self, chunk: bytes) -> None:
        """Take a piece of the file."""

    async def digest(self) -> str:
        """SHA-256 of what was taken, in hex."""


class _Nowhere:
    """Takes a file of which only the hash is wanted."""

    def __init__(self, limit: int) -> None:
        self._left = self._limit = limit
        self._hash = hashlib.sha256()

    async def write(self, chunk: bytes) -> None:
        self._left -= len(chunk)
        if self._left < 0:
            raise upload_too_large(self._limit)
        self._hash.update(chunk)

    async def digest(self) -> str:
        return self._hash.hexdigest()


class _Parts(NamedTuple):
    """What came beside the file, by name, and the name and hash of every part."""

    texts: dict[str, str]
    hashes: list[tuple[str, str]]


async def form(request: web.Request, schema: Schema, receiving: Receiving) -> Form:
    """The multipart form of a request; its file has the name `file`.

    :param schema: of the fields beside the file; what it does not know is ignored.
    :param receiving: where the file goes.
    :raises ApiError: 413, 415, 400 (also for a file that is missing, empty or sent twice) or 422, in this order.
    """
    parts = await _read(request, receiving.limit, receiving)
    request[_FINGERPRINT] = _fingerprint_of(parts)
    file = await receiving.finish()
    if not file.size:
        raise FieldErrors([FieldError(FILE, "Must be a file that is not empty.")])
    return Form(load(schema, parts.texts), file)


async def form_fingerprint(request: web.Request, limit: int) -> str | None:
    """The digest of the names and hashes of all parts, in any order; None for a request with no such body.

    :param limit: largest file in bytes, where the form was not read before.
    :raises ApiError: 413 or 400, where it can't be read.
    """
    if _FINGERPRINT not in request:
        if request.content_type != FORM or not request.body_exists:
            return None
        request[_FINGERPRINT] = _fingerprint_of(await _read(request, limit, _Nowhere(limit)))
    return request[_FINGERPRINT]


def _fingerprint_of(parts: _Parts) -> str:
    return hashlib.sha256(json.dumps(["multipart", sorted(parts.hashes)]).encode()).hexdigest()


async def _read(request: web.Request, limit: int, sink: _Sink) -> _Parts:
    if (request.content_length or 0) > limit + MOST_BESIDE:
        raise upload_too_large(limit)
    if request.content_type != FORM:
        raise UnsupportedMediaType(f"Send the body as Content-Type: {FORM}")
    try:
        return await _parts(request, limit, sink)
    except _STUMBLES as error:
        raise BadRequest("Malformed multipart body") from error


async def _parts(request: web.Request, limit: int, sink: _Sink) -> _Parts:
    found, beside = _Parts({}, []), 0
    async for name, part in _each(request, limit + 4 * MOST_BESIDE):
        text = bytearray()
        while chunk := await part.read_chunk(CHUNK):
            if name == FILE:
                await sink.write(chunk)
            else:
                text += chunk
                beside += len(chunk)
            if beside > MOST_BESIDE:
                raise TooLarge(f"What comes beside the file is larger than {MOST_BESIDE} bytes")
        if name != FILE:
            found.texts[name] = _text(part, text)
            found.hashes.append((name, hashlib.sha256(text).hexdigest()))
        elif any(other == FILE for other, _ in found.hashes):
            raise FieldErrors([FieldError(FILE, "Must be sent once.")])
        else:
            found.hashes.append((name, await sink.digest()))
    return found


async def _each(request: web.Request, most: int) -> AsyncIterator[tuple[str, BodyPartReader]]:
    """The parts and their names. More than `most` bytes, whatever of, are too many; nearly all may be headers."""
    number = 0
    async for part in await request.multipart():
        number += 1
        if number > MOST_PARTS:
            raise BadRequest(f"The form has more than {MOST_PARTS} parts")
        if request.content.total_bytes > most:
            raise upload_too_large(most)
        if not isinstance(part, BodyPartReader) or not part.name:
            raise BadRequest("Each part of the form must have a name, and must be no form itself")
        if part.headers.get("Content-Transfer-Encoding", "").lower() not in _AS_THEY_ARE:
            raise BadRequest("The parts of the form must come as they are, without a Content-Transfer-Encoding")
        yield part.name, part


def _text(part: BodyPartReader, raw: bytearray) -> str:
    if part.get_charset("utf-8").lower() not in ("utf-8", "utf8"):
        raise BadRequest("The fields of the form must be UTF-8")
    text = raw.decode()
    if "\0" in text:
        raise BadRequest("The form holds a NUL character")
    return normalize("NFC", text)
