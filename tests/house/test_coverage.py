"""Every rule has a test that shows it, every claim of a test has its rule, and what waits is really not there yet."""

import tomllib
from pathlib import Path

import pytest

from cms_host.app import make_host
from cms_host.config import Config
from docs.coverage import Row, Unreadable, chapters, claims, shown

from .tree import members

#: Plugins that are still to come, by the names that rows may wait for.
PLANNED = {"webhooks", "admin"}
PREFIX = {"endpoint": "", "rule": "gate-", "sink": "sink-"}
METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"}


def rows() -> list[Row]:
    return [row for chapter in chapters() for row in chapter.rows]


def routes() -> set[str]:
    """What is answered under the API, as "POST /users"."""
    host = make_host(Config())
    found = [route for _, provided in host.plugins.call("cms_routes", host=host) for route in provided]
    return {f"{method} {route.path}" for route in found for method in route.methods}


def installed() -> set[str]:
    """The names of the workspace's plugins."""
    return {PREFIX[member.kind] + member.name.replace("_", "-") for member in members()}


def test_every_rule_that_is_built_has_a_test() -> None:
    claimed = shown()

    assert [row.id for row in rows() if row.later is None and row.id not in claimed] == []


def test_every_claim_names_a_rule() -> None:
    known = {row.id for row in rows()}

    assert {row: tests for row, tests in shown().items() if row not in known} == {}


def test_no_rule_waits_for_what_is_there() -> None:
    """Whoever brings a family shows its rules, and takes the mark away."""
    there = installed() | routes()

    assert [(row.id, row.later) for row in rows() if row.later in there] == []


def test_a_rule_that_waits_is_shown_by_no_test() -> None:
    claimed = shown()

    assert [row.id for row in rows() if row.later and row.id in claimed] == []


def test_what_rules_wait_for_is_a_plugin_or_a_route() -> None:
    waits = {row.later for row in rows() if row.later}
    families = {name for name in waits if " /" not in name}

    assert families <= PLANNED
    assert {name.split()[0] for name in waits - families} <= METHODS


def test_no_rule_is_said_twice_in_a_chapter() -> None:
    for chapter in chapters():
        rules = [row.rule for row in chapter.rows]
        assert len(set(rules)) == len(rules), chapter.title


def test_a_row_that_is_there_twice_is_told(tmp_path: Path) -> None:
    twice = tmp_path / "rows.toml"
    twice.write_text('[a]\nchapter = "A"\nsource = "s"\n[a.rows]\n"b.c" = "One."\n"b.c" = "Two."\n', "utf-8")

    with pytest.raises(tomllib.TOMLDecodeError, match="Cannot overwrite"):
        chapters(twice)


OVERLOOKED = {
    "on_a_module": "pytestmark = {shows}('a.b')\n",
    "on_a_class": "@{shows}('a.b')\nclass TestThings:\n    def test_it(self): pass\n",
    "on_no_test": "@{shows}('a.b')\ndef helper(): pass\n",
    "in_a_table_elsewhere": "CASES = [pytest.param(1, marks={shows}('a.b'))]\n",
    "with_a_name": "@{shows}(ROW)\ndef test_it(): pass\n",
    "with_a_formatted_name": "@{shows}(f'a.{{b}}')\ndef test_it(): pass\n",
}
SHOWS = ".".join(("pytest", "mark", "shows"))


@pytest.mark.parametrize("source", OVERLOOKED.values(), ids=OVERLOOKED)
def test_a_marker_that_would_be_overlooked_is_told(tmp_path: Path, source: str) -> None:
    file = tmp_path / "test_it.py"
    file.write_text(source.format(shows=SHOWS), "utf-8")

    with pytest.raises(Unreadable):
        list(claims(file))


def test_markers_on_a_test_and_on_its_cases_are_found(tmp_path: Path) -> None:
    cases = "@pytest.mark.parametrize('n', [pytest.param(1, marks={shows}('a.c'))])\n"
    file = tmp_path / "test_it.py"
    file.write_text((cases + "@{shows}('a.b')\ndef test_it(n): pass\n").format(shows=SHOWS), "utf-8")

    assert {(each.row, each.test.rpartition("::")[2]) for each in claims(file)} == {
        ("a.b", "test_it"),
        ("a.c", "test_it"),
    }
