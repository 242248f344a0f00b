"""What the document says of an operation, by the decorators on its handler."""

import re
from typing import Any

import pytest
from aiohttp_apispec import docs, form_schema, headers_schema, json_schema, match_info_schema, querystring_schema
from aiohttp_apispec import response_schema as answers
from openapi_schema_validator import OAS30Validator

from cms_host.api import GateRefusal, Role, Route
from cms_host.testing.documented import resolved

from .describing import (
    ALWAYS,
    Filter,
    NewThing,
    Password,
    Slug,
    Thing,
    ThingChanges,
    Upload,
    bare,
    documented,
    handler,
    operation,
)  # fmt: skip


def test_a_handler_without_decorators_is_in_the_document_all_the_same() -> None:
    each = documented(Route("GET", "/things", bare, Role.EDITOR))["paths"]["/api/v1/things"]["get"]

    assert each["operationId"] == "bare"
    assert each["description"] == "Says nothing of itself but this.\n\nRole: `editor` or above."
    assert each["tags"] == ["things"]
    assert each["responses"].keys() == {"200"} | ALWAYS


@pytest.mark.parametrize(
    ("method", "path", "decorators", "errors"),
    [
        ("GET", "/things", [], set()),
        ("GET", "/things/{id}", [], {"404"}),
        ("GET", "/things/{slug}", [match_info_schema(Slug)], {"404"}),
        ("GET", "/things", [querystring_schema(Filter)], {"400", "422"}),
        ("GET", "/things", [headers_schema(Password)], set()),
        ("POST", "/things", [json_schema(NewThing)], {"400", "409", "413", "415", "422"}),
        ("POST", "/things", [form_schema(Upload)], {"400", "409", "413", "415", "422"}),
        ("PUT", "/things/{id}", [json_schema(ThingChanges)], {"400", "404", "409", "413", "415", "422"}),
        ("POST", "/things/{id}/publish", [answers(GateRefusal, 422)], {"400", "404", "409", "413", "422"}),
        ("POST", "/things", [], {"400", "409", "413"}),
        ("DELETE", "/things/{id}", [], {"404", "409"}),
        ("PUT", "/things", [docs(responses={409: {"description": "There is one already."}})], {"409"}),
    ],
)
def test_every_operation_has_the_errors_that_it_may_answer(
    method: str, path: str, decorators: list[Any], errors: set[str]
) -> None:
    responses = operation(method, path, *decorators, answers(Thing))["responses"]

    assert responses.keys() == {"200"} | ALWAYS | errors


def test_posts_alone_take_an_idempotency_key() -> None:
    document = documented(Route("POST PUT", "/things/{id}", handler(json_schema(NewThing)), Role.AUTHOR))
    made, changed = (document["paths"]["/api/v1/things/{id}"][method] for method in ("post", "put"))
    key = resolved(document, made["parameters"])[-1]

    assert (key["in"], key["name"], key.get("required", False)) == ("header", "Idempotency-Key", False)
    assert re.fullmatch(key["schema"]["pattern"], key["schema"]["example"])
    assert len(changed["parameters"]) == len(made["parameters"]) - 1
    assert "Idempotency-Key" in resolved(document, made["responses"]["409"])["description"]


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

    assert schema["properties"]["data"] == {"type": "array", "items": {"$ref": "#/components/schemas/Thing"}}


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


def test_a_body_that_must_have_one_of_several_sets_of_fields_says_which() -> None:
    class Either(ThingChanges):
        alternatives = (("id",), ("name", "size"))

    document = documented(Route("POST", "/things", handler(json_schema(Either)), Role.EDITOR))
    assert document["components"]["schemas"]["Either"]["anyOf"] == [
        {"required": ["id"]},
        {"required": ["name", "size"]},
    ]
    assert document["paths"]["/api/v1/things"]["post"]["requestBody"]["required"] is True


def test_every_answer_but_429_has_its_request_id() -> None:
    document = documented(Route("POST", "/things", handler(answers(Thing, 201)), Role.AUTHOR))
    responses = resolved(document, document["paths"]["/api/v1/things"]["post"]["responses"])

    assert "headers" not in responses.pop("429")
    assert {name for each in responses.values() for name in each["headers"]} == {"X-Request-Id"}
    # A 400 may be that of aiohttp's parser, which knows of no such thing, nor of JSON.
    plain = responses.pop("400")
    assert not plain["headers"]["X-Request-Id"]["required"]
    assert plain["content"].keys() == {"application/json", "text/plain"}
    assert all(each["headers"]["X-Request-Id"]["required"] for each in responses.values())


def test_a_method_that_there_is_not_is_documented_for_all_paths() -> None:
    response = documented(Route("GET", "/things", bare, Role.AUTHOR))["components"]["responses"]["MethodNotAllowed"]

    assert response["headers"].keys() == {"X-Request-Id", "Allow"}


def test_a_form_is_multipart() -> None:
    document = documented(Route("POST", "/media", handler(form_schema(Upload), answers(Thing, 201)), Role.AUTHOR))
    body = document["paths"]["/api/v1/media"]["post"]["requestBody"]
    schema = resolved(document, body["content"]["multipart/form-data"]["schema"])

    assert schema["properties"]["file"] == {"type": "string", "format": "binary"}
    assert body["content"]["multipart/form-data"]["encoding"] == {"file": {"contentType": "image/png, image/gif"}}


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


def test_paths_with_an_empty_part_are_left_out() -> None:
    document = documented(Route("GET", "/things//parts", bare, Role.AUTHOR), Route("GET", "/things", bare, Role.AUTHOR))

    assert list(document["paths"]) == ["/api/v1/things"]
