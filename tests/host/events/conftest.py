"""A site that has nothing but what recognises callers: the tests bring the events and the sinks."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from cms_host.testing import MakeSite, Site

KEYS = Path(__file__).parents[1] / "plugins/cms_keys.py"


@pytest.fixture
def make_host(make_site: MakeSite, install: Callable[..., None]) -> Callable[[], Awaitable[Site]]:
    """Starts a host of the test's site."""
    install("keys", KEYS.read_text("utf-8"))

    async def make() -> Site:
        return await make_site(enabled=["keys"])

    return make


@pytest.fixture
async def site(make_host: Callable[[], Awaitable[Site]]) -> Site:
    """The only host."""
    return await make_host()
