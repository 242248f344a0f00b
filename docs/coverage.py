"""Which test shows which rule: the rows of `tests/contract/rows.toml` and the markers `shows` of all tests.

Read from the sources, without importing a test.
"""

import ast
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
ROWS = ROOT / "tests" / "contract" / "rows.toml"

COVERAGE = """\
# What the rules are, and which tests show them

<!-- Made by `python -m docs.generate spec-coverage` from tests/contract/rows.toml and the tests: change those. -->

Every row is a rule of the service that a client may rely on. Beside it stand the tests that fail when it is broken;
most of them are requests to a real site. A row without a test breaks the build, and so does a test that claims a row
that is not here. Rows that wait for a part of the service which is not built yet say for which.
"""


@dataclass(frozen=True)
class Row:
    """One rule."""

    id: str
    rule: str
    #: What will bring it: a plugin by its name, a route as "POST /users"; None for what is there.
    later: str | None


@dataclass(frozen=True)
class Chapter:
    """Rules that belong together, and where they come from."""

    title: str
    source: str
    rows: Sequence[Row]


class Shown(NamedTuple):
    """One claim of a test."""

    row: str
    #: Path of the file from the root of the repository, and the test's name.
    test: str


class Unreadable(Exception):
    """`shows` stands where it is not seen, or names its rows other than by plain text."""


def chapters(path: Path = ROWS) -> list[Chapter]:
    """The rules, in the order of the file.

    :raises tomllib.TOMLDecodeError: the file is no TOML, or has a row twice.
    """
    return [_chapter(name, section) for name, section in tomllib.loads(path.read_text("utf-8")).items()]


def _chapter(name: str, section: Mapping[str, Any]) -> Chapter:
    defaults = {"later": section.get("later")}
    rows = [
        Row(f"{name}.{key}", **defaults | (value if isinstance(value, dict) else {"rule": value}))
        for key, value in section["rows"].items()
    ]
    return Chapter(section["chapter"], section["source"], rows)


def test_files() -> list[Path]:
    """Every file of the repository that may hold tests."""
    found = [*(ROOT / "tests").rglob("test_*.py"), *(ROOT / "plugins").rglob("test_*.py")]
    return sorted(found, key=lambda path: path.relative_to(ROOT).parts)


def claims(path: Path) -> Iterator[Shown]:
    """What the tests of a file claim to show.

    :raises Unreadable: a marker that would be overlooked.
    """
    text = path.read_text("utf-8")
    if "mark.shows" not in text:
        return
    tree, seen = ast.parse(text, path.name), set[ast.Call]()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            for call in (call for decorator in node.decorator_list for call in _markers(decorator)):
                seen.add(call)
                yield from (Shown(row, f"{_place(path)}::{node.name}") for row in _named(call))
    for call in _markers(tree):
        if call not in seen:
            raise Unreadable(f"{path.name}:{call.lineno}: `shows` belongs on a test function")


def _place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name


def _markers(node: ast.AST) -> Iterator[ast.Call]:
    for each in ast.walk(node):
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr == "shows":
            yield each


def _named(call: ast.Call) -> Iterator[str]:
    for argument in call.args:
        if not isinstance(argument, ast.Constant) or not isinstance(argument.value, str):
            raise Unreadable(f"line {call.lineno}: the rows of `shows` are plain text")
        yield argument.value


def shown() -> dict[str, list[str]]:
    """The tests of each row that any test names."""
    found = defaultdict[str, list[str]](list)
    for path in test_files():
        for row, test in claims(path):
            if test not in found[row]:
                found[row].append(test)
    return dict(found)


def coverage() -> str:
    """The page."""
    tests = shown()
    return "\n".join([COVERAGE, *(_section(chapter, tests) for chapter in chapters())])


def _section(chapter: Chapter, tests: Mapping[str, Sequence[str]]) -> str:
    head = [f"## {chapter.title}", "", f"From: {chapter.source}", ""]
    table = ["| row | rule | shown by |", "| --- | --- | --- |"]
    return "\n".join([*head, *table, *(_line(row, tests.get(row.id, ())) for row in chapter.rows), ""])


def _line(row: Row, tests: Sequence[str]) -> str:
    by = f"later: {row.later}" if row.later else "<br>".join(f"`{test}`" for test in tests)
    return f"| `{row.id}` | {row.rule.replace('|', '&#124;')} | {by} |"
