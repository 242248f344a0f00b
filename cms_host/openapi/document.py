"""Builds the OpenAPI document from the aiohttp-apispec decorators on the routes' handlers.

The builder of aiohttp-apispec itself writes Swagger 2.0, and takes the decorators' data apart while it reads, so that
a second application in one process finds nothing left.
"""

import copy
import inspect
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from typing import Any

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from marshmallow import Schema

from cms_host.middlewares.idempotency import HEADER, KEY_FORM
from cms_host.openapi.names import Operation, SchemaNames, operation_ids
from cms_host.openapi.responses import ALWAYS, HEADERS, JSON, responses, standard_components
from cms_host.principal import Role
from cms_host.routing import API_PREFIX, Route

OPENAPI = "3.0.3"
ABOUT = """\
Every answer is JSON with `success`: what was asked for is in `data`, what went wrong in `error`. A key comes in any one
of three headers. Every request counts against the limit of its client's address. All answers but 429 carry
`X-Request-Id`, which is also in the server's log. `HEAD` works wherever `GET` does; a method that a path does not have
is 405. No text may hold a NUL character (400). What is no HTTP, or has a header or an address of more than 8190 bytes,
is refused before all this, with 400 and plain text."""
#: Three ways to send the same key (spec, Authentication 2).
KEY_SCHEMES = {
    "XApiKey": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
    "Bearer": {"type": "http", "scheme": "bearer"},
    "ApiKey": {"type": "apiKey", "in": "header", "name": "Api-Key"},
}
#: Where aiohttp-apispec's decorators put a schema, as OpenAPI calls it.
PARAMETERS = {
    "query": "query",
    "querystring": "query",
    "path": "path",
    "match_info": "path",
    "headers": "header",
    "cookies": "cookie",
}
IDEMPOTENCY_KEY = {
    "name": HEADER,
    "description": "Makes it safe to send the request again: within 24 hours the same key on the same path gets the "
    "first success again. With another body, or while the first request is under way, it is 409.",
    "schema": {"type": "string", "pattern": f"^{KEY_FORM}$", "example": "b9c0a9f2-6a2e-4f0c-9d2f-1f1a3f0e9b61"},
}
BODIES = {"json": JSON, "form": "multipart/form-data", "files": "multipart/form-data"}
#: Keys of the decorators' data that are not OpenAPI's, or are rebuilt.
TRANSLATED = {"schemas", "responses", "parameters", "produces", "consumes"}


def build_document(routes: Iterable[Route]) -> dict[str, Any]:
    """The document of these routes. Those with an empty part (`/posts//publish`) are left out: OpenAPI can't say them.

    :raises apispec.exceptions.APISpecError: decorators that contradict each other.
    """
    operations = [(route, each.lower()) for route in routes if "//" not in route.path for each in route.methods]
    names = SchemaNames()
    document = _document(operations, names)
    if names.shared:
        names = SchemaNames(names.shared)
        document = _document(operations, names)
    return document


def _document(operations: Sequence[Operation], names: SchemaNames) -> dict[str, Any]:
    spec = _frame(names)
    for (route, method), name in zip(operations, operation_ids(operations), strict=True):
        spec.path(API_PREFIX + route.path, operations={method: {"operationId": name, **_operation(route, method)}})
    for family in sorted({_family(route) for route, _ in operations}):
        spec.tag({"name": family})
    document: dict[str, Any] = spec.to_dict()
    for name, text in names.descriptions().items():
        document["components"]["schemas"][name].setdefault("description", text)
    for name, sets in names.alternatives().items():
        document["components"]["schemas"][name]["anyOf"] = sets
    return document


def _frame(names: SchemaNames) -> APISpec:
    spec = APISpec(
        title="CMS Host",
        version=version("cms-host"),
        openapi_version=OPENAPI,
        info={"description": ABOUT},
        plugins=[MarshmallowPlugin(schema_name_resolver=names)],
        security=[{name: []} for name in KEY_SCHEMES],
    )
    for name, scheme in KEY_SCHEMES.items():
        spec.components.security_scheme(name, scheme)
    spec.components.parameter("IdempotencyKey", "header", IDEMPOTENCY_KEY)
    for name, header in HEADERS.items():
        spec.components.header(name, header)
    for name, response in standard_components().items():
        spec.components.response(name, response)
    return spec


def _operation(route: Route, method: str) -> dict[str, Any]:
    declared: Mapping[str, Any] = getattr(route.handler, "__apispec__", {})
    # Decorators note their schemas from the lowest to the topmost; the document has them in the order of reading.
    requests: Sequence[Mapping[str, Any]] = declared.get("schemas", [])[::-1]
    parameters: list[Any] = [*_parameters(route, requests), *copy.deepcopy(declared.get("parameters", []))]
    body = _body([each for each in requests if each["location"] in BODIES])
    queried = any(each.get("in") == "query" for each in parameters)
    standard = ALWAYS | ({400, 413, 415, 422} if body else {400, 422} if queried else set())
    if route.parameters:
        standard |= {404}
    if method == "post":
        parameters.append("IdempotencyKey")
        # For the key itself, and for a body that it is to be compared with.
        standard |= {400, 413}
    if method != "get":
        # For what was deleted meanwhile, and for what an Idempotency-Key was used for.
        standard |= {409}
    return {
        "tags": [_family(route)],
        **copy.deepcopy({key: value for key, value in declared.items() if key not in TRANSLATED}),
        "description": _description(route, declared.get("description")),
        "x-needs-role": route.needs.label,
        "parameters": parameters,
        **body,
        "responses": responses(declared.get("responses", {}), standard),
    }


def _family(route: Route) -> str:
    return route.path.split("/")[1]


def _description(route: Route, text: str | None) -> str:
    said = text if text is not None else inspect.getdoc(route.handler) or ""
    role = f"`{route.needs.label}` or above" if route.needs > Role.SUBSCRIBER else "any"
    return f"{said}\n\nRole: {'`admin`' if route.needs is Role.ADMIN else role}.".strip()


def _parameters(route: Route, requests: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    declared = [each for each in requests if each["location"] in PARAMETERS]
    named = {
        field.data_key or name
        for each in declared
        if PARAMETERS[each["location"]] == "path"
        for name, field in each["schema"].fields.items()
    }
    return [
        *(_path_parameter(name, number) for name, number in route.parameters.items() if name not in named),
        *({"in": PARAMETERS[each["location"]], "schema": each["schema"]} for each in declared),
    ]


def _path_parameter(name: str, is_number: bool) -> dict[str, Any]:
    schema = {"type": "integer", "format": "int64", "minimum": 1} if is_number else {"type": "string"}
    return {"in": "path", "name": name, "required": True, "schema": schema}


def _body(requests: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The `requestBody`, where there is one: obligatory if any of its fields is."""
    if not requests:
        return {}
    content: dict[str, Any] = {}
    for each in requests:
        example = {key: value for key, value in each["example"].items() if key != "add_to_refs"}
        media = {
            "schema": each["schema"],
            **({"example": copy.deepcopy(example)} if example else {}),
            **_encoding(each["schema"]),
        }
        content[BODIES[each["location"]]] = media
    schemas = [each["schema"] for each in requests]
    required = any(
        getattr(schema, "alternatives", ()) or any(field.required for field in schema.fields.values())
        for schema in schemas
    )
    return {"requestBody": {"required": required, "content": content}}


def _encoding(schema: Schema) -> dict[str, Any]:
    """What the files of a form may be: of the fields whose metadata have `content_types`."""
    types = {name: field.metadata.get("content_types") for name, field in schema.fields.items()}
    found = {name: {"contentType": ", ".join(each)} for name, each in types.items() if each}
    return {"encoding": found} if found else {}
