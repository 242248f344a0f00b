"""How a plugin says which requests it answers."""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from aiohttp import web

from cms_host.principal import Role

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
#: Everything under it is metered and keyed; nothing else is.
API_PREFIX = "/api/v1"
_PARAMETER = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Route:
    """One endpoint under /api/v1.

    :param method: `GET` (answers HEAD too), `POST`, `PUT`, `PATCH` or `DELETE`; several as `"PUT PATCH"`.
    :param path: below the prefix, without a trailing slash, with parameters as `{id}`. A parameter named `id`
        or ending in `_id` is a number: anything else in its place is 404.
    :param needs: the least role that may call it.
    """

    method: str
    path: str
    handler: Handler
    needs: Role

    @property
    def methods(self) -> Sequence[str]:
        return self.method.split()

    @property
    def shape(self) -> str:
        """The path without the names of its parameters: two routes of one shape answer the same requests."""
        return _PARAMETER.sub("{}", self.path)

    @property
    def parameters(self) -> dict[str, bool]:
        """The names of the path's parameters, and whether each is a number."""
        return {name: name == "id" or name.endswith("_id") for name in _PARAMETER.findall(self.path)}


@dataclass(frozen=True, slots=True)
class Page:
    """One public page outside the API: no key, no rate limit, no envelope."""

    method: str
    path: str
    handler: Handler
