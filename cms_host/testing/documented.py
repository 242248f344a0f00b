"""Whether answers are what the API's document says of them."""

from typing import Any

from cms_host.testing.site import API, Answer, Site


async def assert_documented(site: Site, method: str, path: str, answer: Answer) -> None:
    """Fail unless the document has this answer: its status, every field that it must have, and no field besides.

    Needs openapi-schema-validator.

    :param path: of the route, below /api/v1, as in `/posts/{id}`.
    """
    from openapi_schema_validator import OAS30Validator

    document = (await site.fetch("GET", "/docs/openapi.json")).json
    responses = document["paths"][API + path][method.lower()]["responses"]
    assert str(answer.status) in responses, f"{method} {path} answered {answer.status}, which is not documented"
    response = resolved(document, responses[str(answer.status)])
    faults = OAS30Validator(closed(response["content"]["application/json"]["schema"])).iter_errors(answer.json)
    told = "\n".join(f"{fault.json_path}: {fault.message}" for fault in faults)
    assert not told, f"{method} {path} answered what is not documented:\n{told}"


def resolved(document: Any, value: Any) -> Any:
    """A part of the document with everything that it refers to put in its place."""
    if isinstance(value, list):
        return [resolved(document, each) for each in value]
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("$ref"), str):
        found = document
        for part in value["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        return resolved(document, found)
    return {key: resolved(document, each) for key, each in value.items()}


def closed(schema: Any) -> Any:
    """The schema without leave for fields that it does not name."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: closed(each) for key, each in schema.items()}
    return {"additionalProperties": False, **inner} if isinstance(schema.get("properties"), dict) else inner
