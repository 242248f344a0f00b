"""What a handler reads of its request: the body and the query, each by a schema."""

import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qsl

from aiohttp import web

from cms_host.body import read_json, read_raw
from cms_host.client_ip import NO_ADDRESS
from cms_host.errors import BadRequest, UnsupportedMediaType
from cms_host.middlewares.authorize import path_id
from cms_host.middlewares.rate_limit import CLIENT
from cms_host.schema import Schema, load, load_sent
from cms_host.services import unit_of

__all__ = ["body", "client_address", "json_object", "path_id", "query", "submitted"]
#: What browsers send of a form without files.
FORM_TYPE = "application/x-www-form-urlencoded"


async def body(request: web.Request, schema: Schema) -> dict[str, Any]:
    """The fields of a JSON body that the schema knows and the client sent.

    :raises ApiError: 413, 415, 400 or 422, in this order (contract 1.9).
    """
    return load(schema, await json_object(request))


def client_address(request: web.Request) -> str:
    """The IP address that an API request is from (spec, Limits rule 5), or nothing where there is none."""
    address = request[CLIENT]
    return "" if address == NO_ADDRESS else address


async def json_object(request: web.Request) -> dict[str, Any]:
    """The JSON body whatever its fields are; for endpoints whose fields no schema can list.

    :raises ApiError: 413, 415 or 400, in this order.
    """
    return await read_json(request, unit_of(request).host.config.max_body_bytes)


def query(request: web.Request, schema: Schema) -> Mapping[str, Any]:
    """The query parameters that the schema knows; the last one counts where one is repeated.

    :raises FieldErrors: 422 for what can't be accepted. :raises BadRequest: a NUL character or broken UTF-8.
    """
    return _parsed(schema, request.rel_url.raw_query_string)


@lru_cache(maxsize=1024)
def _parsed(schema: Schema, raw: str) -> Mapping[str, Any]:
    """Front ends ask for the same lists again and again, and a schema takes longer than the list's statement."""
    return MappingProxyType(load_sent(schema, _pairs(raw, "query string")))


async def submitted(request: web.Request, limit: int) -> Mapping[str, str]:
    """The fields of a form that a browser sent to a page, as texts in NFC; the last one counts where one is repeated.

    :param limit: largest body in bytes.
    :raises ApiError: 413, 415 or 400, in this order.
    """
    raw = await read_raw(request, limit)
    if request.content_type != FORM_TYPE:
        raise UnsupportedMediaType(f"Send the form as Content-Type: {FORM_TYPE}")
    try:
        return _pairs(raw.decode("ascii"), "form")
    except UnicodeDecodeError as error:
        raise BadRequest("Malformed form") from error


def _pairs(raw: str, what: str) -> dict[str, str]:
    """:raises BadRequest: it is not UTF-8, has too many fields, or holds a NUL character."""
    try:
        values = dict(parse_qsl(raw, keep_blank_values=True, errors="strict", max_num_fields=200))
    except ValueError as error:
        raise BadRequest(f"The {what} is not UTF-8, or has too many parameters") from error
    if any("\0" in value for value in values.values()):
        raise BadRequest(f"The {what} holds a NUL character")
    # As in bodies: what is looked for is spelt as what was stored.
    return {name: unicodedata.normalize("NFC", value) for name, value in values.items()}
