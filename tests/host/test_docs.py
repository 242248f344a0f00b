"""What the pages under docs/ claim, as far as a program can tell."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from cms_host.errors import ApiError
from cms_host.middlewares import errors as _all_defined  # noqa: F401 - the host's last errors are defined there

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs").rglob("*.md"))


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text("utf-8")


def first_column(text: str) -> list[str]:
    """The first cells of all rows of all tables, their headings left out."""
    rows = re.findall(r"^\| *([^|]+?) *\|.*\n(\|-+\|)?", text, re.MULTILINE)
    return [cell for cell, rule in rows if not rule and not cell.startswith("---")]


def errors_of(cls: type[ApiError]) -> Iterator[type[ApiError]]:
    for each in cls.__subclasses__():
        yield each
        yield from errors_of(each)


def test_each_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    declared = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    explained = first_column(page("decisions/0004-dependencies.md"))

    assert sorted(explained) == sorted(Requirement(each).name for each in declared)


def test_each_status_of_an_error_is_explained() -> None:
    ours = {each.status for each in errors_of(ApiError) if each.__module__.startswith("cms_host.")}
    chapter = page("api.md").partition("## Errors")[2].partition("\n## ")[0]

    assert first_column(chapter) == [str(status) for status in sorted(ours)]


@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.name)
def test_files_that_a_page_names_exist(file: Path) -> None:
    text = file.read_text("utf-8")
    named = re.findall(r"`((?:cms_host|plugins|tests|bench|docs)/[\w/.-]+)`", text)
    modules = re.findall(r"`python -m ([\w.]+)`", text)

    missing = [each for each in named if not (ROOT / each).exists()]
    missing += [each for each in modules if not (ROOT / f"{each.replace('.', '/')}.py").exists()]
    assert missing == []


@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.name)
def test_links_of_a_page_lead_somewhere(file: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", file.read_text("utf-8"))

    assert [each for each in links if "://" not in each and not (file.parent / each).exists()] == []


def test_decisions_are_numbered_once() -> None:
    numbers = [file.name[:4] for file in (ROOT / "docs" / "decisions").glob("*.md")]

    assert len(set(numbers)) == len(numbers)
    assert all(number.isdecimal() for number in numbers)
