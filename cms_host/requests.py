"""What a handler reads of its request: the body and the query, each by a schema."""

from typing import Any

from aiohttp import web

from cms_host.body import read_json
from cms_host.errors import BadRequest
from cms_host.middlewares.authorize import path_id
from cms_host.schema import Schema, load
from cms_host.services import unit_of

__all__ = ["body", "path_id", "query"]


async def body(request: web.Request, schema: Schema) -> dict[str, Any]:
    """The fields of a JSON body that the schema knows and the client sent.

    :raises ApiError: 413, 415, 400 or 422, in this order (contract 1.9).
    """
    limit = unit_of(request).host.config.max_body_bytes
    return load(schema, await read_json(request, limit))


def query(request: web.Request, schema: Schema) -> dict[str, Any]:
    """The query parameters that the schema knows; the last one counts where one is repeated.

    :raises FieldErrors: 422 for what can't be accepted. :raises BadRequest: a NUL character or broken UTF-8.
    """
    if not request.query_string:
        return load(schema, {})
    values = dict(request.query)
    for value in values.values():
        if "\0" in value or "\ufffd" in value or not _encodable(value):
            raise BadRequest("The query string holds a NUL character or is not UTF-8")
    return load(schema, values)


def _encodable(value: str) -> bool:
    return value.isascii() or value.encode("utf-8", "replace").decode() == value
