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
    FieldError,
    FieldErrors,
    InsufficientRole,
    NotFound,
    RateLimited,
    TooLarge,
    Unauthorized,
    UnsupportedMediaType,
)  # fmt: skip
from cms_host.middlewares.errors import InternalError

JSON = "application/json"
#: Component name, when it happens, and an example, by status (spec, Errors; contract 2).
STANDARD: Mapping[int, tuple[str, str, ApiError]] = {
    400: ("BadRequest", "Malformed, or a field is missing, empty or of the wrong type.", BadRequest("Malformed JSON body")),
    401: ("Unauthorized", "The key is missing, unknown, inactive or expired.", Unauthorized()),
    403: ("Forbidden", "The caller's role or ownership does not allow it.", InsufficientRole()),
    404: ("NotFound", "There is no such thing, or the caller may not see it.", NotFound()),
    413: ("TooLarge", "The body is larger than is allowed.", TooLarge("The body is larger than 2097152 bytes (setting max_body_bytes)")),
    415: ("UnsupportedMediaType", "The body's content type is not one that this endpoint takes.", UnsupportedMediaType()),
    422: ("Unprocessable", "Well-formed, but not acceptable.", FieldErrors([FieldError("status", "Must be one of draft, published.")], 422)),
    429: ("RateLimited", "Too many requests from this address in the last 60 minutes.", RateLimited()),
    500: ("InternalError", "A fault of the server, whose log has a line with this reference.", InternalError("Internal server error (reference 8f14e45fceea167a)")),
    503: ("Busy", "The workers have too much to do.", Busy()),
}
ALWAYS = {401, 403, 429, 500, 503}


def standard_components() -> dict[str, dict[str, Any]]:
    """The responses that all operations share, by their names."""
    return {name: _failure(text, {}, error) for name, text, error in STANDARD.values()}


def responses(declared: Mapping[str, Mapping[str, Any]], standard: set[int]) -> dict[str, Any]:
    """The responses of one operation.

    :param declared: by the handler's decorators. The schema of a success is that of `data`; the schema of an error
        is that of a whole answer which may come instead of the error envelope.
    :param standard: statuses of the errors that it shares with others.
    """
    found: dict[str, Any] = {str(code): {"$ref": f"#/components/responses/{STANDARD[code][0]}"} for code in standard}
    for code, response in declared.items():
        found[str(code)] = _failure_of(int(code), response) if int(code) >= 400 else _success_of(int(code), response)
    if not declared:
        found["200"] = _success_of(200, {})
    return dict(sorted(found.items()))


def _success_of(code: int, response: Mapping[str, Any]) -> dict[str, Any]:
    data = response.get("schema", {})
    envelope = {
        "type": "object",
        "required": ["success", "data"],
        "properties": {"success": {"type": "boolean", "enum": [True]}, "data": data},
    }
    content = {} if code >= 300 else {"content": {JSON: {"schema": envelope}}}
    return {"description": HTTPStatus(code).phrase, **content, **_rest(response)}


def _failure_of(code: int, response: Mapping[str, Any]) -> dict[str, Any]:
    _, text, error = STANDARD.get(code, ("", HTTPStatus(code).phrase, None))
    return {**_failure(text, response, error), **_rest(response)}


def _failure(text: str, response: Mapping[str, Any], error: ApiError | None) -> dict[str, Any]:
    schema = {"oneOf": [Error(), response["schema"]]} if "schema" in response else Error()
    example = {} if error is None else {"example": error.body()}
    return {"description": text, "content": {JSON: {"schema": schema, **example}}}


def _rest(response: Mapping[str, Any]) -> dict[str, Any]:
    """What is written as OpenAPI has it; an empty description says nothing."""
    return {key: copy.deepcopy(value) for key, value in response.items() if value and key not in ("schema", "required")}
