"""Recognises the caller, opens the request's unit of work, and keeps all but administrators out of two families."""

from collections.abc import Sequence

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from cms_host.errors import Forbidden, Unauthorized
from cms_host.host import Host
from cms_host.principal import Authenticator, Recognised, Role
from cms_host.routing import API_PREFIX
from cms_host.services import UNIT, UnitOfWork

#: Spec, Role capabilities: these answer any role below administrator with `Forbidden`, whatever the method or path.
ADMIN_FAMILIES = ("users", "settings")


def authenticate(host: Host, authenticators: Sequence[Authenticator]) -> Middleware:
    """The middleware."""

    @web.middleware
    async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
        principal, version = await _recognise(host, authenticators, request)
        await host.settings.refresh(host.db, version)
        if principal.role < Role.ADMIN and _family(request.path) in ADMIN_FAMILIES:
            raise Forbidden
        request[UNIT] = UnitOfWork(host, host.db, principal)
        return await handler(request)

    return middleware


async def _recognise(host: Host, authenticators: Sequence[Authenticator], request: web.Request) -> Recognised:
    for authenticator in authenticators:
        recognised = await authenticator.authenticate(request, host.db)
        if recognised is not None:
            return recognised
    raise Unauthorized


def _family(path: str) -> str:
    return path[len(API_PREFIX) + 1 :].partition("/")[0]
