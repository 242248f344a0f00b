"""The document of a whole site."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from aiohttp_apispec import docs, json_schema, querystring_schema
from aiohttp_apispec import response_schema as answers
from openapi_spec_validator import validate

from cms_host import openapi
from cms_host.api import GateRefusal, Role, Route
from cms_host.testing import MakeSite, Site

from .describing import ALWAYS, Filter, NewThing, Thing, documented, fetch_document, handler, on_sqlite, operations


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for each in value.values():
            yield from references(each)
    elif isinstance(value, list):
        for each in value:
            yield from references(each)


def undocumented(document: dict[str, Any]) -> list[str]:
    """The law of every plugin's handlers: a summary, and for each success the shape of its `data`."""
    return [name for name, each in operations(document) if not each.get("summary") or not _has_shape(each)]


def _has_shape(operation: dict[str, Any]) -> bool:
    successes = [response for code, response in operation["responses"].items() if code < "300"]
    if not successes:
        # It is there to say that something is missing in the path, and does nothing else.
        return operation["responses"].keys() - {"409"} == ALWAYS | {"400"}
    contents = [response.get("content", {}) for response in successes]
    return all("application/json" not in each or _data(each["application/json"]["schema"]) for each in contents)


def _data(envelope: dict[str, Any]) -> Any:
    return envelope["properties"]["data"]


@on_sqlite
async def test_the_document_of_all_plugins_is_valid_and_leaves_none_of_their_endpoints_out(site: Site) -> None:
    document = await fetch_document(site)
    validate(document)

    routes = [route for _, route in site.host.plugins.each("cms_routes", host=site.host)]
    assert {name for name, _ in operations(document)} == {
        f"{method} /api/v1{route.path}" for route in routes for method in route.methods if "//" not in route.path
    }
    for _, each in operations(document):
        assert each["responses"].keys() >= ALWAYS
        assert each["x-needs-role"] in ("subscriber", "author", "editor", "admin")


@on_sqlite
async def test_every_endpoint_of_all_plugins_is_documented(site: Site) -> None:
    assert undocumented(await fetch_document(site)) == []


@pytest.mark.parametrize(
    "decorators",
    [
        [],
        [docs(tags=["things"])],
        [docs(summary="Read a thing")],
        [answers(Thing)],
        [docs(summary=""), answers(Thing)],
        [docs(summary="Read a thing", responses={200: {"description": "A thing"}})],
        [docs(summary="Make a thing", responses={409: {"description": "There is one already"}})],
    ],
)
def test_a_handler_without_a_summary_or_the_shape_of_its_answer_breaks_the_law(decorators: list[Any]) -> None:
    assert undocumented(documented(Route("GET", "/things", handler(*decorators), Role.AUTHOR))) == [
        "GET /api/v1/things"
    ]


@pytest.mark.parametrize(
    "decorators",
    [
        [docs(summary="Read a thing"), answers(Thing)],
        [docs(summary="Refuse", responses={400: {"description": "Always"}})],
        [docs(summary="Read a map", responses={200: {"content": {"application/xml": {}}}})],
    ],
)
def test_a_handler_that_says_what_it_answers_keeps_the_law(decorators: list[Any]) -> None:
    assert undocumented(documented(Route("GET", "/things", handler(*decorators), Role.AUTHOR))) == []


@on_sqlite
async def test_two_sites_in_one_process_have_the_same_document(make_site: MakeSite) -> None:
    first = await fetch_document(await make_site())
    second = await fetch_document(await make_site())

    assert first == second
    defined = {f"#/components/{kind}/{name}" for kind, items in second["components"].items() for name in items}
    assert set(references(second)) <= defined


def test_building_the_document_leaves_the_decorators_data_as_it_was() -> None:
    work: Any = handler(
        docs(tags=["things"], summary="Do", parameters=[{"in": "header", "name": "X", "schema": {"type": "string"}}]),
        json_schema(NewThing, example={"name": "tea"}),
        querystring_schema(Filter),
        answers(Thing, 201),
        answers(GateRefusal, 422),
    )
    before = str(vars(work))
    documented(Route("POST", "/things/{id}", work, Role.AUTHOR))

    assert str(vars(work)) == before


@on_sqlite
async def test_the_document_is_built_once_whoever_asks(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    built, build = [], openapi._built

    def counted(routes: Sequence[Route]) -> bytes:
        built.append(routes)
        return build(routes)

    monkeypatch.setattr(openapi, "_built", counted)
    documents = await asyncio.gather(*[site.fetch("GET", "/docs/openapi.json") for _ in range(5)])

    assert len({each.body for each in documents}) == 1
    assert len(built) == 1


def test_starting_a_site_does_not_import_what_builds_the_document() -> None:
    program = (
        "import sys; from cms_host.app import build_app; from cms_host.config import Config; build_app(Config());"
        "assert 'cms_host.openapi' in sys.modules; assert 'cms_host.openapi.document' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


@on_sqlite
async def test_each_of_the_three_ways_to_send_a_key_is_documented_and_works(site: Site) -> None:
    document = await fetch_document(site)
    key = await site.key("admin")
    schemes = document["components"]["securitySchemes"]

    assert [list(each) for each in document["security"]] == [[name] for name in schemes]
    assert len(schemes) == 3
    for scheme in schemes.values():
        headers = {scheme["name"]: key} if scheme["type"] == "apiKey" else {"Authorization": f"Bearer {key}"}
        assert (await site.fetch("GET", "/api/v1/posts", headers=headers)).status == 200
