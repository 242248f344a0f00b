"""A receiver, and a site where things happen."""

from collections.abc import AsyncIterator

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from cms_host.testing import Site

from .receiving import OtherHappened, Receiver, ThingHappened


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    receiver = Receiver()
    receiver.door.set()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", receiver.take)
    async with TestServer(app) as server:
        receiver.url = str(server.make_url("/hook"))
        yield receiver
        receiver.door.set()


@pytest.fixture
async def site(site: Site) -> Site:
    """A site where things happen."""
    site.host.event_kinds = {each.kind: each for each in (ThingHappened, OtherHappened)}
    return site
