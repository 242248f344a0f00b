"""What the tests of the document describe: a family of things, and the document of any routes."""

from collections.abc import Iterator
from typing import Any

import marshmallow as ma
import pytest
from aiohttp import web
from openapi_spec_validator import validate

from cms_host.api import Number, PageRecord, Record, Role, Route, Schema, Text
from cms_host.openapi.document import build_document
from cms_host.routing import Handler
from cms_host.testing import Site

# The document does not depend on the kind of database.
on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
ENDPOINT_METHODS = {"get", "post", "put", "patch", "delete"}
#: What every operation may answer, whatever it does.
ALWAYS = {"401", "403", "429", "500", "503"}


class Thing(Record):
    """A thing."""

    id = ma.fields.Integer()
    name = ma.fields.String(allow_none=True)


class Things(PageRecord):
    items = ma.fields.List(ma.fields.Nested(Thing))


class NewThing(Schema):
    name = Text(required=True, limit=20)


class ThingChanges(Schema):
    name = Text(limit=20)


class Filter(Schema):
    page = Number()
    search = Text(metadata={"description": "Part of the name."})


class Slug(Schema):
    slug = Text(limit=200)


class Upload(Schema):
    file = ma.fields.Raw(
        required=True, metadata={"type": "string", "format": "binary", "content_types": ["image/png", "image/gif"]}
    )


class Password(Schema):
    password = Text(data_key="X-Post-Password")


async def bare(request: web.Request) -> web.StreamResponse:
    """Says nothing of itself but this."""
    return web.Response()


def handler(*decorators: Any) -> Handler:
    """A handler of its own with these decorators, as if they were written above it."""

    async def work(request: web.Request) -> web.StreamResponse:
        """What it does."""
        return web.Response()

    decorated: Any = work
    for each in reversed(decorators):
        decorated = each(decorated)
    return decorated  # type: ignore[no-any-return] # the decorators have no types


def operation(method: str, path: str, *decorators: Any, needs: Role = Role.AUTHOR) -> dict[str, Any]:
    """What the document says of one route."""
    found: dict[str, Any] = documented(Route(method, path, handler(*decorators), needs))["paths"][f"/api/v1{path}"]
    return found[method.lower()]  # type: ignore[no-any-return] # the document is plain JSON


def documented(*routes: Route) -> dict[str, Any]:
    """The document, which is valid."""
    document = build_document(routes)
    validate(document)
    return document


def operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, each in methods.items():
            assert method in ENDPOINT_METHODS
            yield f"{method.upper()} {path}", each


async def fetch_document(site: Site) -> dict[str, Any]:
    answer = await site.fetch("GET", "/docs/openapi.json")
    assert answer.status == 200
    return answer.json  # type: ignore[no-any-return] # whatever was sent
