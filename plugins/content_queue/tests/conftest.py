"""Files to queue, sites to queue them on, and the command line as an operator types it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cms_content_queue.article import read_article
from cms_content_queue.commands import QUEUE
from cms_content_queue.service import Added, QueueService
from cms_host.api import UnitOfWork
from cms_host.testing import Client, MakeSite, Site
from cms_posts.testing import LIKENESS, content, unlike
from cms_users.api import Actors

#: For what no database has a part in.
SQLITE_ALONE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
Run = Callable[..., Result]


@pytest.fixture
async def site(make_site: MakeSite) -> Site:
    return await make_site(disabled=LIKENESS)


@pytest.fixture
def run(database_url: str, tmp_path: Path) -> Run:
    """Runs `cms-host queue` on the test's database: `run("list", "--json")`."""
    config = tmp_path / "cms.toml"
    config.write_text(f'database_url = "{database_url}"\ndata_dir = "{tmp_path / "data"}"\n', "utf-8")

    def invoke(*arguments: str | Path) -> Result:
        return CliRunner().invoke(QUEUE, [*map(str, arguments), "--config", str(config)])

    return invoke


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder for articles."""
    made = tmp_path / "articles"
    made.mkdir()
    return made


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def article(number: int = 1, front_matter: str = "") -> str:
    """An HTML article, unlike those of other numbers, that the gate lets pass."""
    return f"---\ntitle: {unlike(number)}\n{front_matter}---\n{content(str(number))}"


async def queued(site: Site, path: Path) -> Added:
    """Queue a file in the way of the command, which can't run beside a test's own event loop."""
    async with site.host.unit().write() as write:
        return await write.get(QueueService).add(read_article(path, site.host.timezone), path.name)


async def acting(site: Site, username: str) -> UnitOfWork:
    """A unit of work of an account."""
    principal = await site.host.unit().get(Actors).called(username)
    assert principal is not None
    return UnitOfWork(site.host, site.host.db, principal)


async def posts(client: Client) -> list[dict[str, Any]]:
    """All posts with their relations, the oldest first."""
    answer = await client.get("/posts?with_relations=1&order_by=id&order_dir=asc&per_page=100")
    found: list[dict[str, Any]] = answer.data["items"]
    return found
