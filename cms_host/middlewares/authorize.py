"""The last check before a handler: the caller's role, then the path's parameters (contract 1.6, 1.7)."""

import re

from aiohttp import web

from cms_host.errors import InsufficientRole, NotFound
from cms_host.routing import Handler, Route
from cms_host.services import unit_of

_ID = re.compile(r"[0-9]{1,19}", re.ASCII)
MAX_ID = 2**63 - 1


def authorize(route: Route, handler: Handler) -> Handler:
    """The handler behind the checks of its route."""
    needs, parameters = route.needs, route.parameters

    async def checked(request: web.Request) -> web.StreamResponse:
        if unit_of(request).principal.role < needs:
            raise InsufficientRole
        for name, is_number in parameters.items():
            if is_number:
                path_id(request, name)
            elif "\0" in request.match_info[name]:
                # Nothing has such a name, and PostgreSQL refuses to look for it.
                raise NotFound
        return await handler(request)

    return checked


def path_id(request: web.Request, name: str = "id") -> int:
    """A numeric path parameter.

    :raises NotFound: it is not one to nineteen ASCII digits, or is past 2^63-1.
    """
    text = request.match_info[name]
    if not _ID.fullmatch(text) or (number := int(text)) > MAX_ID:
        raise NotFound
    return number
