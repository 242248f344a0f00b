"""What the API's document says of bodies and parameters."""

from collections.abc import Mapping
from typing import Any

from cms_host.testing.documented import resolved
from cms_host.testing.site import API

from .routes import Endpoint


def operation(document: Mapping[str, Any], endpoint: Endpoint) -> dict[str, Any]:
    """The document's entry of an endpoint; an empty one where no client is to know of it."""
    found: dict[str, Any] = document["paths"].get(API + endpoint.path, {}).get(endpoint.method.lower(), {})
    return found


def body_schema(document: Mapping[str, Any], endpoint: Endpoint) -> dict[str, Any] | None:
    """The schema of the JSON body that an endpoint takes, if it takes one."""
    body = operation(document, endpoint).get("requestBody")
    json = (body or {"content": {}})["content"].get("application/json")
    return None if json is None else resolved(document, json["schema"])
