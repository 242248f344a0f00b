"""What things are called in the document."""

from typing import Any

import marshmallow as ma
from aiohttp import web
from aiohttp_apispec import response_schema as answers

from cms_host.api import Record, Role, Route
from cms_host.routing import Handler

from .describing import Thing, Things, documented, handler, operations


def test_put_and_patch_are_two_operations() -> None:
    methods = documented(Route("PUT PATCH", "/things/{id}", handler(), Role.AUTHOR))["paths"]["/api/v1/things/{id}"]

    assert {method: each["operationId"] for method, each in methods.items()} == {
        "put": "work_put", "patch": "work_patch",
    }  # fmt: skip


def test_handlers_of_one_name_get_ids_of_their_own() -> None:
    def list_things(module: str) -> Handler:
        async def work(request: web.Request) -> web.StreamResponse:
            return web.Response()

        work.__name__, work.__module__ = "list_things", module
        return work

    ours, theirs = list_things("cms_things.handlers"), list_things("acme_things.handlers")
    document = documented(
        Route("GET", "/things", ours, Role.AUTHOR),
        Route("GET", "/acme", theirs, Role.AUTHOR),
        Route("POST", "/acme", theirs, Role.AUTHOR),
        Route("POST", "/acme/again", theirs, Role.AUTHOR),
    )
    ids = [each["operationId"] for _, each in operations(document)]

    assert ids[:2] == ["cms_things_list_things", "acme_things_list_things_get"]
    assert len(set(ids)) == len(ids)


def of_module(module: str, **fields: Any) -> type[ma.Schema]:
    """A class `Part` of a module."""
    return type("Part", (Record,), {"__module__": module, "__qualname__": "Part", **fields})


def test_schemas_of_one_name_get_their_module_in_front_and_others_keep_theirs() -> None:
    a = of_module("acme.schemas", a=ma.fields.Integer())
    b = of_module("cms_parts.schemas", b=ma.fields.Integer())
    document = documented(
        Route("GET", "/a", handler(answers(a)), Role.AUTHOR),
        Route("GET", "/b", handler(answers(b(many=True))), Role.AUTHOR),
        Route("GET", "/things", handler(answers(Things)), Role.AUTHOR),
    )
    schemas = document["components"]["schemas"]

    assert schemas["acme.schemas.Part"]["required"] == ["a"]
    assert schemas["cms_parts.schemas.Part"]["required"] == ["b"]
    assert "Part" not in schemas
    assert {"Thing", "Things"} <= schemas.keys()
    assert schemas["Thing"]["description"] == "A thing."


def test_a_plugins_schema_may_be_named_like_one_of_the_hosts() -> None:
    theirs = type("Error", (Record,), {"__module__": "acme.schemas", "__qualname__": "Error", "x": ma.fields.String()})
    document = documented(Route("GET", "/a", handler(answers(theirs)), Role.AUTHOR))

    assert document["components"]["schemas"]["acme.schemas.Error"]["required"] == ["x"]
    assert document["components"]["schemas"]["Error"]["required"] == ["error", "success"]


def test_one_schema_with_fewer_fields_is_another_component() -> None:
    document = documented(
        Route("GET", "/a", handler(answers(Thing)), Role.AUTHOR),
        Route("GET", "/b", handler(answers(Thing(only=("id",)))), Role.AUTHOR),
    )

    assert document["components"]["schemas"]["Thing"]["required"] == ["id", "name"]
    assert document["components"]["schemas"]["Thing2"]["required"] == ["id"]
