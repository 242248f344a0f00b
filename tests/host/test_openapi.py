"""The API's document and the page that shows it."""

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import marshmallow as ma
import pytest
from aiohttp import web
from aiohttp_apispec import docs, form_schema, headers_schema, json_schema, match_info_schema, querystring_schema
from aiohttp_apispec import response_schema as answers
from openapi_schema_validator import OAS30Validator
from openapi_spec_validator import validate

from cms_host import openapi
from cms_host.answers import GateRefusal, PageRecord, Record
from cms_host.openapi.document import build_document
from cms_host.principal import Role
from cms_host.routing import Handler, Route
from cms_host.schema import Number, Schema, Text
from cms_host.testing import MakeSite, Site

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
    file = ma.fields.Raw(required=True, metadata={"type": "string", "format": "binary"})


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
        return operation["responses"].keys() == ALWAYS | {"400"}
    contents = [response.get("content", {}) for response in successes]
    return all("application/json" not in each or _data(each["application/json"]["schema"]) for each in contents)


def _data(envelope: dict[str, Any]) -> Any:
    return envelope["properties"]["data"]


def resolved(document: dict[str, Any], value: Any) -> Any:
    """The value with everything that it refers to put in place."""
    if isinstance(value, list):
        return [resolved(document, each) for each in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        found: Any = document
        for part in value["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        return resolved(document, found)
    return {key: resolved(document, each) for key, each in value.items()}


async def fetch_document(site: Site) -> dict[str, Any]:
    answer = await site.fetch("GET", "/docs/openapi.json")
    assert answer.status == 200
    return answer.json  # type: ignore[no-any-return] # whatever was sent


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


def test_a_handler_without_decorators_is_in_the_document_all_the_same() -> None:
    each = documented(Route("GET", "/things", bare, Role.EDITOR))["paths"]["/api/v1/things"]["get"]

    assert each["operationId"] == "bare"
    assert each["description"] == "Says nothing of itself but this.\n\nRole: `editor` or above."
    assert each["tags"] == ["things"]
    assert each["responses"].keys() == {"200"} | ALWAYS


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


@pytest.mark.parametrize(
    ("method", "path", "decorators", "errors"),
    [
        ("GET", "/things", [], set()),
        ("GET", "/things/{id}", [], {"404"}),
        ("GET", "/things/{slug}", [match_info_schema(Slug)], {"404"}),
        ("GET", "/things", [querystring_schema(Filter)], {"400", "422"}),
        ("GET", "/things", [headers_schema(Password)], set()),
        ("POST", "/things", [json_schema(NewThing)], {"400", "413", "415", "422"}),
        ("POST", "/things", [form_schema(Upload)], {"400", "413", "415", "422"}),
        ("PUT", "/things/{id}", [json_schema(ThingChanges)], {"400", "404", "413", "415", "422"}),
        ("POST", "/things/{id}/publish", [answers(GateRefusal, 422)], {"404", "422"}),
        ("POST", "/things", [docs(responses={409: {"description": "There is one already."}})], {"409"}),
    ],
)
def test_every_operation_has_the_errors_that_it_may_answer(
    method: str, path: str, decorators: list[Any], errors: set[str]
) -> None:
    responses = operation(method, path, *decorators, answers(Thing))["responses"]

    assert responses.keys() == {"200"} | ALWAYS | errors


def test_success_is_the_envelope_around_what_the_handler_declares() -> None:
    document = documented(Route("POST", "/things", handler(answers(Thing, 201)), Role.AUTHOR))
    created = document["paths"]["/api/v1/things"]["post"]["responses"]["201"]
    schema = resolved(document, created["content"]["application/json"]["schema"])

    assert created["description"] == "Created"
    assert OAS30Validator(schema).is_valid({"success": True, "data": {"id": 1, "name": None}})
    for wrong in ({"success": False, "data": {"id": 1, "name": None}}, {"success": True, "data": {"id": 1}}, {}):
        assert not OAS30Validator(schema).is_valid(wrong)


def test_a_list_is_the_envelope_around_its_records() -> None:
    document = documented(Route("GET", "/things", handler(answers(Thing(many=True))), Role.AUTHOR))
    schema = document["paths"]["/api/v1/things"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]

    assert _data(schema) == {"type": "array", "items": {"$ref": "#/components/schemas/Thing"}}


def test_a_refusal_of_the_gate_stands_beside_the_error_envelope() -> None:
    work = handler(answers(Thing), answers(GateRefusal, 422, description="Refused."))
    document = documented(Route("POST", "/things/{id}/publish", work, Role.AUTHOR))
    response = document["paths"]["/api/v1/things/{id}/publish"]["post"]["responses"]["422"]
    schema = resolved(document, response["content"]["application/json"]["schema"])
    block = {"code": "short_title", "message_tr": "Kısa.", "message_en": "Short."}

    assert response["description"] == "Refused."
    assert OAS30Validator(schema).is_valid({"success": False, "error": "quality_gate", "blocks": [block]})
    assert OAS30Validator(schema).is_valid({"success": False, "error": {"code": 422, "message": "No"}})
    assert not OAS30Validator(schema).is_valid({"success": False, "error": "quality_gate", "blocks": []})


def test_what_a_handler_says_of_an_error_keeps_the_error_envelope() -> None:
    conflict = operation("POST", "/things", docs(responses={409: {"description": "There is one."}}))["responses"]["409"]

    assert conflict["description"] == "There is one."
    assert conflict["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/Error"}


def test_another_type_of_content_stands_beside_the_json() -> None:
    xml = {"application/xml": {"schema": {"type": "string"}}}
    each = operation("GET", "/things", docs(responses={200: {"description": "", "content": xml}}), answers(Thing))

    assert each["responses"]["200"]["content"].keys() == {"application/json", "application/xml"}


def test_numbers_in_the_path_are_integers_and_names_are_strings() -> None:
    document = documented(Route("GET", "/things/{id}/{thing_id}/{slug}", bare, Role.AUTHOR))
    parameters = document["paths"]["/api/v1/things/{id}/{thing_id}/{slug}"]["get"]["parameters"]

    assert {each["name"]: each["schema"]["type"] for each in parameters} == {
        "id": "integer", "thing_id": "integer", "slug": "string",
    }  # fmt: skip
    assert all(each["required"] and each["in"] == "path" for each in parameters)


def test_parameters_come_from_the_schemas() -> None:
    decorators = [match_info_schema(Slug), querystring_schema(Filter), headers_schema(Password)]
    parameters = operation("GET", "/things/{slug}", *decorators)["parameters"]

    assert [(each["in"], each["name"], each["required"]) for each in parameters] == [
        ("path", "slug", True),
        ("query", "page", False), ("query", "search", False),
        ("header", "X-Post-Password", False),
    ]  # fmt: skip
    assert parameters[0]["schema"] == {"type": "string", "maxLength": 200}
    assert parameters[2]["description"] == "Part of the name."


def test_a_body_is_obligatory_if_any_of_its_fields_is() -> None:
    new = operation("POST", "/things", json_schema(NewThing, example={"name": "tea"}))["requestBody"]
    changed = operation("PATCH", "/things/{id}", json_schema(ThingChanges))["requestBody"]

    assert (new["required"], changed["required"]) == (True, False)
    assert new["content"]["application/json"]["example"] == {"name": "tea"}
    assert new["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/NewThing"}


def test_a_form_is_multipart() -> None:
    document = documented(Route("POST", "/media", handler(form_schema(Upload), answers(Thing, 201)), Role.AUTHOR))
    body = document["paths"]["/api/v1/media"]["post"]["requestBody"]
    schema = resolved(document, body["content"]["multipart/form-data"]["schema"])

    assert schema["properties"]["file"] == {"type": "string", "format": "binary"}


@pytest.mark.parametrize(
    ("needs", "label", "said"),
    [
        (Role.SUBSCRIBER, "subscriber", "Role: any."),
        (Role.AUTHOR, "author", "Role: `author` or above."),
        (Role.ADMIN, "admin", "Role: `admin`."),
    ],
)
def test_the_least_role_is_told_to_people_and_to_programs(needs: Role, label: str, said: str) -> None:
    each = operation("GET", "/things", docs(summary="Read", description="More."), needs=needs)

    assert each["x-needs-role"] == label
    assert each["description"] == f"More.\n\n{said}"


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


def test_paths_with_an_empty_part_are_left_out() -> None:
    document = documented(Route("GET", "/things//parts", bare, Role.AUTHOR), Route("GET", "/things", bare, Role.AUTHOR))

    assert list(document["paths"]) == ["/api/v1/things"]


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


@on_sqlite
async def test_the_page_and_the_document_need_no_key_and_cost_nothing(make_site: MakeSite) -> None:
    site = await make_site(rate_limit=1)
    for path in ("/docs", "/docs/", "/docs/openapi.json", "/docs/swagger-ui.css") * 2:
        assert (await site.fetch("GET", path)).status == 200
        assert (await site.fetch("HEAD", path)).status == 200

    assert (await (await site.client("subscriber")).get("/posts")).status == 200


@on_sqlite
async def test_the_page_asks_nobody_but_this_site_for_anything(site: Site) -> None:
    page = await site.fetch("GET", "/docs")
    links = re.findall(r'(?:src|href)="([^"]*)"', page.text)

    assert len(links) == len(re.findall(r"\b(?:src|href)\s*=", page.text)) >= 5
    assert all(link.startswith("/docs/") for link in links)
    texts = [page.text]
    for link in links:
        answer = await site.fetch("GET", link)
        assert (answer.status, bool(answer.body)) == (200, True), link
        if link.endswith((".css", "docs.js")):
            texts.append(answer.text)
    for text in texts:
        assert not re.search(
            r"(?:https?:)?//[a-z0-9]|@import", re.sub(r"url\(['\"]?data:[^)]*\)", "", text), re.IGNORECASE
        )
    assert "validatorUrl: null" in texts[-1] + texts[-2]


@on_sqlite
async def test_the_page_has_no_script_or_style_inside_and_forbids_them(site: Site) -> None:
    page = await site.fetch("GET", "/docs")

    assert not re.search(r"<script>|<style|\sstyle=|\son\w+=|javascript:", page.text)
    assert page.headers["X-Content-Type-Options"] == "nosniff"
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert not re.search(r"unsafe|\*|https?:", policy)


@on_sqlite
@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/docs", "text/html; charset=utf-8"),
        ("/docs/docs.js", "text/javascript; charset=utf-8"),
        ("/docs/swagger-ui-bundle.js", "text/javascript; charset=utf-8"),
        ("/docs/swagger-ui.css", "text/css; charset=utf-8"),
        ("/docs/favicon-32x32.png", "image/png"),
        ("/docs/openapi.json", "application/json"),
    ],
)
async def test_each_file_has_its_type_and_may_not_be_taken_for_another(site: Site, path: str, kind: str) -> None:
    answer = await site.fetch("GET", path)

    assert (answer.status, answer.headers["Content-Type"]) == (200, kind)
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Request-Id"]


@on_sqlite
@pytest.mark.parametrize("path", ["/docs/swagger-ui-bundle.js.map", "/docs/nothing", "/docs/../cms_host/app.py"])
async def test_nothing_else_is_served_there(site: Site, path: str) -> None:
    assert (await site.fetch("GET", path)).error == {"code": 404, "message": "Not found"}
