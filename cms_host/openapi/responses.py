"""What an operation may answer: what its handler declares, and the errors that every operation has."""

import copy
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from cms_host.answers import Error
from cms_host.errors import (
    ApiError,
    BadRequest,
    Busy,
    Conflict,
    FieldError,
    FieldErrors,
    InsufficientRole,
    InternalError,
    NotFound,
    RateLimited,
    TooLarge,
    Unauthorized,
    UnsupportedMediaType,
)  # fmt: skip
from cms_host.middlewares.errors import MethodNotAllowed

JSON = "application/json"
#: Component name, when it happens, and an example, by status (spec, Errors; contract 2).
STANDARD: Mapping[int, tuple[str, str, ApiError]] = {
    400: (
        "BadRequest",
        "Malformed, or a field is missing, empty or of the wrong type.",
        BadRequest("Malformed JSON body"),
    ),
    401: ("Unauthorized", "The key is missing, unknown, inactive or expired.", Unauthorized()),
    403: ("Forbidden", "The caller's role or ownership does not allow it.", InsufficientRole()),
    404: ("NotFound", "There is no such thing, or the caller may not see it.", NotFound()),
    405: ("MethodNotAllowed", "The path is there, and has no such method.", MethodNotAllowed()),
    409: (
        "Conflict",
        "The present state forbids it, something that it refers to is gone, or the Idempotency-Key was used otherwise.",
        Conflict(),
    ),
    413: (
        "TooLarge",
        "The body is larger than is allowed.",
        TooLarge("The body is larger than 2097152 bytes (setting max_body_bytes)"),
    ),
    415: (
        "UnsupportedMediaType",
        "The body's content type is not one that this endpoint takes.",
        UnsupportedMediaType(),
    ),
    422: (
        "Unprocessable",
        "Well-formed, but not acceptable.",
        FieldErrors([FieldError("status", "Must be one of draft, published.")], 422),
    ),
    429: ("RateLimited", "Too many requests from this address in the last 60 minutes.", RateLimited()),
    500: (
        "InternalError",
        "A fault of the server, whose log has a line with this reference.",
        InternalError("8f14e45fceea167a"),
    ),
    503: ("Busy", "The workers have too much to do.", Busy()),
}
ALWAYS = {401, 403, 429, 500, 503}
#: The headers of answers that a client may rely on, by their names as components.
HEADERS: Mapping[str, dict[str, Any]] = {
    "RequestId": {
        "description": "Stands in the server's log too; what was sent as X-Request-Id, if it is 8 to 64 of A-Z, a-z, "
        "0-9, dot, dash and underscore.",
        "required": True,
        "schema": {"type": "string", "pattern": "^[A-Za-z0-9._-]{8,64}$"},
    },
    "Allow": {
        "description": "The methods that there are, parted by commas.",
        "required": True,
        "schema": {"type": "string", "example": "GET, HEAD, POST"},
    },
}


def standard_components() -> dict[str, dict[str, Any]]:
    """The responses that all operations share, by their names."""
    return {name: _failure_of(code, {}) for code, (name, _, _) in STANDARD.items()}


def responses(declared: Mapping[str | int, Mapping[str, Any]], standard: set[int]) -> dict[str, Any]:
    """The responses of one operation.

    :param declared: by the handler's decorators. The schema of a success is that of `data`; the schema of an error
        is that of a whole answer which may come instead of the error envelope.
    :param standard: statuses of the errors that it shares with others.
    """
    found: dict[str, Any] = {str(code): {"$ref": f"#/components/responses/{STANDARD[code][0]}"} for code in standard}
    for code, response in _merged(declared or {"200": {}}).items():
        found[str(code)] = _failure_of(code, response) if code >= 400 else _success_of(code, response)
    return dict(sorted(found.items()))


def _merged(declared: Mapping[str | int, Mapping[str, Any]]) -> dict[int, dict[str, Any]]:
    """`@response_schema` writes statuses as text, `@docs` as the plugin's author did: both may speak of one."""
    merged: dict[int, dict[str, Any]] = {}
    for code, response in declared.items():
        merged.setdefault(int(code), {}).update({key: value for key, value in response.items() if value})
    return merged


def _success_of(code: int, response: Mapping[str, Any]) -> dict[str, Any]:
    envelope = {
        "type": "object",
        "required": ["success", "data"],
        "properties": {"success": {"type": "boolean", "enum": [True]}, "data": response.get("schema", {})},
    }
    is_json = code < 300 and ("schema" in response or "content" not in response)
    return _described(code, HTTPStatus(code).phrase, {JSON: {"schema": envelope}} if is_json else {}, response)


def _failure_of(code: int, response: Mapping[str, Any]) -> dict[str, Any]:
    _, text, error = STANDARD.get(code, ("", HTTPStatus(code).phrase, None))
    schema = {"oneOf": [Error(), response["schema"]]} if "schema" in response else Error()
    example = {} if error is None else {"example": error.body()}
    # What is no HTTP, or too long, is refused by aiohttp before any of our code.
    beside = {"text/plain": {"schema": {"type": "string"}}} if code == HTTPStatus.BAD_REQUEST else {}
    return _described(code, text, {JSON: {"schema": schema, **example}, **beside}, response)


def _described(code: int, text: str, content: Mapping[str, Any], response: Mapping[str, Any]) -> dict[str, Any]:
    """A response object; what the handler's author wrote in OpenAPI's own words goes before or beside ours."""
    own = {key: copy.deepcopy(value) for key, value in response.items() if key not in ("schema", "required")}
    content = {**content, **own.pop("content", {})}
    headers = {**_headers_of(code), **own.pop("headers", {})}
    return {
        "description": text,
        **({"headers": headers} if headers else {}),
        **({"content": content} if content else {}),
        **own,
    }


def _headers_of(code: int) -> dict[str, Any]:
    """The spec's Limits rule 4 leaves a 429 without any; a 400 may be aiohttp's own."""
    if code == HTTPStatus.BAD_REQUEST:
        return {"X-Request-Id": {**HEADERS["RequestId"], "required": False}}
    names = {} if code == HTTPStatus.TOO_MANY_REQUESTS else {"X-Request-Id": "RequestId"}
    if code == HTTPStatus.METHOD_NOT_ALLOWED:
        names["Allow"] = "Allow"
    return {header: {"$ref": f"#/components/headers/{name}"} for header, name in names.items()}
