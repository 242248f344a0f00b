"""Migrations: every installed plugin's history, applied once, by one process, as a whole or not at all."""

import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from sqlalchemy import column, insert, table

from cms_host.histories import find_histories, in_order
from cms_host.migrate import MigrationError, migrate, sync_engine
from cms_host.plugins import installed
from cms_host.testing import Databases, dump

from .conftest import Installer

HOST = ["host/0001_create_settings_and_jobs"]
AUTHORS = """
import sqlalchemy as sa
from alembic import op
from cms_host.api import Id

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "authors",
        sa.Column("id", Id, primary_key=True),
        sa.Column("name", sa.Text()),
        sqlite_autoincrement=True,
    )
"""
RENAME = """
import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    with op.batch_alter_table("authors") as batch:
        batch.alter_column("name", nullable=False)
"""
DELETE = """    op.execute(sa.delete(sa.table("authors")))
"""
BOOKS = """
import sqlalchemy as sa
from alembic import op
from cms_host.api import Id

revision: str = '0001'
down_revision: str | None = None


def upgrade() -> None:
    op.create_table(
        "books",
        sa.Column("id", Id, primary_key=True),
        sa.Column("author_id", Id, sa.ForeignKey("authors.id", ondelete="CASCADE"), nullable=False),
    )
"""
FAILS = """
import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table("half", sa.Column("id", sa.Integer()))
    op.drop_table("nothing_of_that_name")
"""


@pytest.fixture(params=Databases.KINDS)
def url(request: pytest.FixtureRequest, databases: Databases) -> Iterator[str]:
    """A database with nothing in it."""
    made = databases.make(request.param, migrated=False)
    yield made
    databases.discard(made)


def points(*names: str) -> list[EntryPoint]:
    return [point for point in installed() if point.name in names]


def with_history(install: Installer, name: str, *steps: str, requires: tuple[str, ...] = ()) -> None:
    files = {f"migrations/{number:04}_step.py": text for number, text in enumerate(steps, 1)}
    # Migrations never import the plugin: it may be switched off because it is broken.
    install(name, "raise SystemExit", files=files, requires=requires)


def test_a_fresh_database_gets_everything_once(url: str) -> None:
    applied = migrate(url)

    assert applied[: len(HOST)] == HOST
    assert len(applied) == len(set(applied)) == sum(len(history.steps) for history in find_histories())
    before = dump(url)
    assert before["settings_version"] == [(1, 0)]
    assert migrate(url) == []
    assert dump(url) == before


def test_nothing_to_do_is_found_out_without_alembic(databases: Databases) -> None:
    url = databases.make("sqlite")
    code = f"import sys\nfrom cms_host.migrate import migrate\nprint(migrate({url!r}), 'alembic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "[] False\n"


@pytest.mark.slow
def test_four_starts_at_once_all_succeed(url: str) -> None:
    code = f"from cms_host.migrate import migrate\nprint(len(migrate({url!r})))"
    starts = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    outputs = [start.communicate(timeout=60) for start in starts]

    assert [(start.returncode, errors) for start, (_, errors) in zip(starts, outputs, strict=True)] == [(0, "")] * 4
    assert sorted(int(output) for output, _ in outputs)[:3] == [0, 0, 0]
    assert migrate(url) == []


def test_each_plugin_has_its_own_version_table(url: str, install: Installer) -> None:
    with_history(install, "book-shelf", BOOKS.replace(', sa.ForeignKey("authors.id", ondelete="CASCADE")', ""))
    migrate(url, points("book-shelf"))

    assert dump(url)["alembic_version_book_shelf"] == [("0001",)]
    assert dump(url)["alembic_version_host"] == [("0001",)]


def test_a_plugin_comes_after_those_that_it_requires(url: str, install: Installer) -> None:
    with_history(install, "a-books", BOOKS, requires=("cms-host>=0.1", "cms.Z_Authors"))
    with_history(install, "z-authors", AUTHORS)

    assert migrate(url, points("a-books", "z-authors")) == [*HOST, "z-authors/0001_step", "a-books/0001_step"]


def test_an_optional_neighbour_does_not_count(install: Installer) -> None:
    with_history(install, "a-books", BOOKS, requires=("cms-z-authors; extra == 'authors'",))
    with_history(install, "z-authors", AUTHORS)
    histories = in_order(find_histories(points("a-books", "z-authors")))

    assert [history.owner for history in histories] == ["host", "a-books", "z-authors"]


def test_a_circle_of_requirements_is_told(url: str, install: Installer) -> None:
    with_history(install, "a-books", BOOKS, requires=("cms-z-authors",))
    with_history(install, "z-authors", AUTHORS, requires=("cms-a-books",))

    with pytest.raises(MigrationError, match="require each other in a circle"):
        migrate(url, points("a-books", "z-authors"))


def test_a_new_step_is_applied_to_what_is_there(url: str, install: Installer) -> None:
    with_history(install, "authors", AUTHORS)
    migrate(url, points("authors"))
    authors = table("authors", column("id"), column("name"))
    with sync_engine(url).begin() as connection:
        connection.execute(insert(authors).values(name="Ada"))
    with_history(install, "authors", AUTHORS, RENAME)

    assert migrate(url, points("authors")) == ["authors/0002_step"]
    assert dump(url)["authors"] == [(1, "Ada")]


def test_replacing_a_table_does_not_empty_those_that_refer_to_it(url: str, install: Installer) -> None:
    with_history(install, "authors", AUTHORS)
    with_history(install, "books", BOOKS, requires=("cms-authors",))
    migrate(url, points("authors", "books"))
    with sync_engine(url).begin() as connection:
        connection.execute(insert(table("authors", column("name"))).values(name="Ada"))
        connection.execute(insert(table("books", column("author_id"))).values(author_id=1))
    with_history(install, "authors", AUTHORS, RENAME)
    migrate(url, points("authors", "books"))

    assert dump(url)["books"] == [(1, 1)]


def test_a_failing_step_leaves_nothing_half_made(url: str, install: Installer) -> None:
    migrate(url, [])
    before = dump(url)
    with_history(install, "authors", AUTHORS)
    with_history(install, "b-broken", FAILS, requires=("cms-authors",))

    with pytest.raises(MigrationError, match=r"b-broken/0001_step failed, nothing was changed.*nothing_of_that_name"):
        migrate(url, points("authors", "b-broken"))

    assert dump(url) == before
    assert migrate(url, points("authors")) == ["authors/0001_step"]


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_steps_that_break_references_are_refused_on_sqlite(url: str, install: Installer) -> None:
    with_history(install, "authors", AUTHORS)
    with_history(install, "books", BOOKS, requires=("cms-authors",))
    migrate(url, points("authors", "books"))
    with sync_engine(url).begin() as connection:
        connection.execute(insert(table("authors", column("name"))).values(name="Ada"))
        connection.execute(insert(table("books", column("author_id"))).values(author_id=1))
    before = dump(url)
    with_history(install, "authors", AUTHORS, RENAME + DELETE)

    with pytest.raises(MigrationError, match="books to authors"):
        migrate(url, points("authors", "books"))
    assert dump(url) == before


def test_a_plugin_that_is_no_longer_installed_is_skipped(url: str, install: Installer) -> None:
    with_history(install, "authors", AUTHORS)
    migrate(url, points("authors"))

    assert migrate(url, []) == []
    assert "authors" in dump(url)


def test_a_plugin_of_one_module_has_no_history(install: Installer) -> None:
    install("gate-style", "")

    assert [history.owner for history in find_histories(points("gate-style"))] == ["host"]


def test_a_database_of_a_newer_version_is_refused(url: str, install: Installer) -> None:
    with_history(install, "authors", AUTHORS, RENAME)
    migrate(url, points("authors"))
    (Path(points("authors")[0].dist.locate_file("cms_authors/migrations/0002_step.py"))).unlink()

    with pytest.raises(MigrationError, match=r"authors: the database is at revision 0002.*a newer version made it"):
        migrate(url, points("authors"))


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ((AUTHORS, RENAME, RENAME.replace("0002", "0003")), "two heads, for 0002_step and 0003_step both follow 0001"),
        ((AUTHORS, AUTHORS), "two heads, for 0001_step and 0002_step both follow None"),
        ((AUTHORS, RENAME.replace('"0001"', '"0009"')), "nothing leads to 0002_step"),
        ((RENAME,), "nothing leads to 0001_step"),
        ((AUTHORS, "revision = next()"), r"0002_step\.py lacks a plain"),
        ((AUTHORS, RENAME.replace('"0001"', '("0001", "0000")')), r"0002_step\.py lacks a plain"),
    ],
)
@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_a_history_that_is_not_one_line_is_refused(
    url: str, install: Installer, steps: tuple[str, ...], message: str
) -> None:
    with_history(install, "authors", *steps)

    with pytest.raises(MigrationError, match=f"authors: .*{message}"):
        migrate(url, points("authors"))


@pytest.mark.parametrize(
    "url", ["sqlite:////dev/null/cms.sqlite3", "postgresql://nobody:hush@127.0.0.1:1/cms", "postgresql://x?host=/none"]
)
def test_a_database_that_can_not_be_reached_is_told_without_its_password(url: str) -> None:
    with pytest.raises(MigrationError, match="the database can't be used") as caught:
        migrate(url)

    assert "hush" not in str(caught.value)
