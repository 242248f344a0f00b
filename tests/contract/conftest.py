"""One site with every plugin, on a database of each kind, and callers of it."""

import pytest

from cms_host.testing import Client, Site


@pytest.fixture
async def admin(site: Site) -> Client:
    return await site.client("admin")


@pytest.fixture
async def editor(site: Site) -> Client:
    return await site.client("editor")


@pytest.fixture
async def author(site: Site) -> Client:
    return await site.client("author")


@pytest.fixture
async def subscriber(site: Site) -> Client:
    return await site.client("subscriber")
