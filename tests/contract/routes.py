"""The API of a running site as its router has it: what the generated tests go through."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from cms_host.testing import Site
from cms_host.testing.site import API

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
WRITES = ("POST", "PUT", "PATCH", "DELETE")
_PARAMETER = re.compile(r"\{(\w+)\}")


class Endpoint(NamedTuple):
    """One method of one path."""

    method: str
    #: Below /api/v1, with its parameters as `{id}`.
    path: str

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def family(self) -> str:
        return self.path.split("/")[1]

    @property
    def parameters(self) -> list[str]:
        return _PARAMETER.findall(self.path)

    @property
    def has_numbers_only(self) -> bool:
        """Whether every parameter is the id of something."""
        return all(name == "id" or name.endswith("_id") for name in self.parameters)

    def matches(self, path: str) -> bool:
        """Whether a request for the path would find this one."""
        return re.fullmatch(_PARAMETER.sub("[^/]+", self.path), path) is not None

    def at(self, values: Mapping[str, Any]) -> str:
        """The path with values for its parameters."""
        return self.path.format(**values)


def mounted(site: Site) -> list[Endpoint]:
    """Everything that answers under /api/v1, `HEAD` and the twins with a trailing slash included."""
    found = [
        Endpoint(route.method, route.resource.canonical.removeprefix(API))
        for route in site.app.router.routes()
        if route.resource is not None and route.resource.canonical.startswith(f"{API}/")
    ]
    assert found, "the router shows no routes"
    return found


def endpoints(site: Site) -> list[Endpoint]:
    """The endpoints that plugins declared: without `HEAD` and without the twins."""
    return [each for each in mounted(site) if each.method != "HEAD" and not each.path.endswith("/")]


async def document(site: Site) -> dict[str, Any]:
    """The site's OpenAPI document."""
    read: dict[str, Any] = (await site.fetch("GET", "/docs/openapi.json")).json
    return read
