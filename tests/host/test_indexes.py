"""Stored indexes of plugins: their order, their names, and what a rebuild tells whoever watches."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from cms_host.app import make_host
from cms_host.commands import CommandError
from cms_host.config import Config, PluginSwitches
from cms_host.host import Host
from cms_host.integrity import file_faults
from cms_host.plugins import PluginErrors
from cms_host.reindexing import rebuild

Install = Callable[..., None]
INDEX = (
    "from cms_host.api import hookimpl\n"
    "rebuilt = []\n"
    "class Index:\n"
    "    def __init__(self, name):\n        self.name = name\n"
    "    async def verify(self, db):\n        return []\n"
    "    async def rebuild(self, unit, progress):\n"
    "        rebuilt.append(self.name)\n        progress(3, 10)\n        progress(10, 10)\n"
    "@hookimpl\ndef cms_indexes(host):\n    return [Index(name) for name in {names}]\n"
)


def host_with(folder: Path, *plugins: str) -> Host:
    return make_host(Config(data_dir=folder, plugins=PluginSwitches(enabled=plugins)))


def test_indexes_come_after_those_of_the_plugins_that_theirs_requires(install: Install, tmp_path: Path) -> None:
    install("alpha", INDEX.format(names=["alpha.one"]), requires=["cms-omega"])
    install("omega", INDEX.format(names=["omega.b", "omega.a"]))
    host = host_with(tmp_path, "alpha", "omega")
    # Families that are not switched on keep their tables, and so their indexes.
    names = [index.name for index in host.indexes if index.name.startswith(("alpha.", "omega."))]
    assert names == ["omega.b", "omega.a", "alpha.one"]


def test_circle_of_requirements_is_told(install: Install, tmp_path: Path) -> None:
    install("alpha", INDEX.format(names=["alpha.one"]), requires=["cms-omega"])
    install("omega", INDEX.format(names=["omega.one"]), requires=["cms-alpha"])
    with pytest.raises(PluginErrors, match=r"require each other in a circle: .*cms-alpha"):
        host_with(tmp_path, "alpha", "omega")


def test_two_indexes_of_one_name_stop_the_start(install: Install, tmp_path: Path) -> None:
    install("alpha", INDEX.format(names=["same"]))
    install("omega", INDEX.format(names=["same"]))
    with pytest.raises(PluginErrors, match="alpha and omega: cms_indexes: both have one named same"):
        host_with(tmp_path, "alpha", "omega")


async def test_reindex_rebuilds_what_is_named_in_the_indexes_own_order(
    install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install("alpha", INDEX.format(names=["alpha.one", "alpha.two", "alpha.three"]))
    host = host_with(tmp_path, "alpha")
    await rebuild(host, ["alpha.three", "alpha.one"])
    module = host.plugins.known["alpha"].module
    assert module is not None
    assert module.rebuilt == ["alpha.one", "alpha.three"]
    assert capsys.readouterr() == ("rebuilt alpha.one\nrebuilt alpha.three\n", "")
    host.indexes = [index for index in host.indexes if index.name.startswith("alpha.")]
    await rebuild(host, [])
    assert module.rebuilt[2:] == ["alpha.one", "alpha.two", "alpha.three"]


async def test_reindex_shows_a_bar_on_a_terminal(
    install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    install("alpha", INDEX.format(names=["alpha.one"]))
    host = host_with(tmp_path, "alpha")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    await rebuild(host, ["alpha.one"])
    shown = capsys.readouterr()
    assert shown.out == "rebuilt alpha.one\n"
    assert "alpha.one" in shown.err
    assert "100%" in shown.err


async def test_reindex_of_an_unknown_name_tells_the_names_there_are(install: Install, tmp_path: Path) -> None:
    install("alpha", INDEX.format(names=["alpha.one", "alpha.two"]))
    host = host_with(tmp_path, "alpha")
    with pytest.raises(CommandError, match=r"No such index: beta; there are .*alpha\.one, alpha\.two"):
        await rebuild(host, ["alpha.one", "beta"])
    host.indexes = ()
    with pytest.raises(CommandError, match="No such index: beta; there are none"):
        await rebuild(host, ["beta"])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A database of two tables, one of which refers to the other."""
    path = tmp_path / "db.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE shelf (id INTEGER PRIMARY KEY, name TEXT UNIQUE)")
        connection.execute("CREATE TABLE book (id INTEGER PRIMARY KEY, shelf INTEGER REFERENCES shelf (id))")
        connection.executemany("INSERT INTO shelf VALUES (?, ?)", [(n, f"shelf {n}") for n in range(2000)])
        connection.execute("INSERT INTO book VALUES (7, 3)")
    return path


def test_file_in_order_has_no_faults(file: Path) -> None:
    assert file_faults(file) == []


def test_row_that_refers_to_nothing_is_told(file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("DELETE FROM shelf WHERE id = 3")
    assert file_faults(file) == ["row 7 of book refers to a row of shelf that is gone"]


def test_entry_of_an_index_that_is_no_row_s_is_told(file: Path) -> None:
    before, _, after = file.read_bytes().rpartition(b"shelf 1234")
    file.write_bytes(before + b"shelf 9234" + after)
    assert "row 1235 missing from index sqlite_autoindex_shelf_1" in file_faults(file)
