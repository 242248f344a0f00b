"""Counts every request under /api/v1 against its client's address, before anything else looks at it (spec, Limits)."""

import os
from collections.abc import Callable

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from cms_host.client_ip import ClientIp
from cms_host.errors import RateLimited
from cms_host.limiter import Limiter, current_limit

#: Where a request under /api/v1 carries its client's address.
CLIENT = web.RequestKey("client", str)


def rate_limit(limiter: Limiter, client_ip: ClientIp, configured: Callable[[], int | None]) -> Middleware:
    """The middleware.

    :param configured: the limit that the configuration file gives at this moment, if any.
    """

    @web.middleware
    async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
        client = client_ip.of(request)
        if not limiter.admit(client_ip.limiter_key(client), current_limit(os.environ, configured())):
            raise RateLimited
        request[CLIENT] = client
        return await handler(request)

    return middleware
