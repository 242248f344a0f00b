"""A Redis for all tests of a process, and a site whose events go there."""

from collections.abc import Iterator

import pytest

from cms_host.testing import MakeSite, Site

from .happening import ThingHappened
from .server import RedisServer, running


@pytest.fixture(scope="session")
def one_server() -> Iterator[RedisServer]:
    with running() as server:
        yield server


@pytest.fixture
def server(one_server: RedisServer) -> RedisServer:
    """The server with nothing in it."""
    with one_server.connect() as redis:
        redis.flushall()
    return one_server


@pytest.fixture
async def site(make_site: MakeSite, server: RedisServer) -> Site:
    """A site where things happen."""
    site = await make_site(redis_url=server.url)
    site.host.event_kinds = {ThingHappened.kind: ThingHappened}
    return site
