"""Finds the migrations of the host and of every installed plugin, by reading files: nothing is imported."""

import importlib.util
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from importlib.metadata import Distribution, EntryPoint
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from cms_host.plugins import installed

HOST = "host"
_FILES = "[0-9][0-9][0-9][0-9]_*.py"
_REVISION = re.compile(r"""^revision\b[^=\n]*=\s*["'](\w+)["']""", re.MULTILINE)
_PARENT = re.compile(r"""^down_revision\b[^=\n]*=\s*(?:["'](\w+)["']|None\b)""", re.MULTILINE)


class MigrationError(Exception):
    """The database can't be brought up to date; the message says whose history stands in the way."""


class Step(NamedTuple):
    """One migration file."""

    revision: str
    parent: str | None
    #: The file's name without its suffix.
    name: str


@dataclass(frozen=True, slots=True)
class History:
    """One owner's migrations, oldest first."""

    #: A plugin's name, or `host`.
    owner: str
    folder: Path
    steps: tuple[Step, ...]
    dist: Distribution | None = None

    @property
    def version_table(self) -> str:
        """Where the database keeps how far this history has come."""
        return f"alembic_version_{self.owner.replace('-', '_')}"

    def after(self, revision: str | None) -> tuple[Step, ...]:
        """The steps that follow a revision; all of them for None.

        :raises MigrationError: the history has no such revision.
        """
        known = [None, *(step.revision for step in self.steps)]
        if revision not in known:
            raise MigrationError(
                f"{self.owner}: the database is at revision {revision}, which the installed version does not know; "
                "a newer version made it"
            )
        return self.steps[known.index(revision) :]


def find_histories(points: Sequence[EntryPoint] | None = None) -> list[History]:
    """The host's history and that of every plugin that has one.

    :param points: by default all that are installed, switched on or not.
    :raises MigrationError: a history is not one line from its first step to its head.
    """
    found = {"cms_host": read_history(HOST, Path(__file__).with_name("migrations"))}
    for point in installed() if points is None else points:
        package = point.module.partition(".")[0]
        folder = _folder(package)
        if folder is not None and package not in found:
            found[package] = read_history(point.name, folder, point.dist)
    return list(found.values())


def read_history(owner: str, folder: Path, dist: Distribution | None = None) -> History:
    """The steps in a folder, by the `revision` and `down_revision` lines of its files.

    :raises MigrationError: they are not one line.
    """
    steps = [_read_step(owner, file) for file in sorted(folder.glob(_FILES))]
    following: dict[str | None, Step] = {}
    for step in steps:
        twin = following.setdefault(step.parent, step)
        if twin is not step:
            raise MigrationError(f"{owner}: two heads, for {twin.name} and {step.name} both follow {step.parent}")
    line: list[Step] = []
    while step_after := following.pop(line[-1].revision if line else None, None):
        line.append(step_after)
    if following:
        lost = ", ".join(step.name for step in following.values())
        raise MigrationError(f"{owner}: nothing leads to {lost}; check its down_revision")
    return History(owner, folder, tuple(line), dist)


def in_order(histories: Sequence[History]) -> list[History]:
    """The same, each after those of the distributions that its own one requires; the host first.

    :raises MigrationError: distributions require each other in a circle.
    """
    try:
        order = by_requirement({_package(history): history.dist for history in histories})
    except CycleError as error:
        raise MigrationError(f"these require each other in a circle: {', '.join(error.args[1])}") from error
    return sorted(histories, key=lambda history: (history.owner != HOST, order.index(_package(history))))


def by_requirement(distributions: Mapping[str, Distribution | None]) -> list[str]:
    """The canonical names that were given, each after those of the distributions that its own one requires.

    :raises CycleError: distributions require each other in a circle.
    """
    names = sorted(distributions)
    graph = {name: _required(distributions[name]) & distributions.keys() for name in names}
    return list(TopologicalSorter(graph).static_order())


def _folder(package: str) -> Path | None:
    spec = importlib.util.find_spec(package)
    for place in (spec and spec.submodule_search_locations) or ():
        folder = Path(place) / "migrations"
        if folder.is_dir():
            return folder
    return None


def _read_step(owner: str, file: Path) -> Step:
    text = file.read_text("utf-8")
    revision, parent = _REVISION.search(text), _PARENT.search(text)
    if revision is None or parent is None:
        raise MigrationError(f"{owner}: {file.name} lacks a plain `revision = ...` or `down_revision = ...` line")
    return Step(revision[1], parent[1], file.stem)


def _package(history: History) -> str:
    return canonicalize_name(history.dist.name) if history.dist else history.owner


def _required(dist: Distribution | None) -> set[str]:
    requirements = [Requirement(line) for line in (dist.requires if dist else None) or ()]
    return {
        canonicalize_name(each.name)
        for each in requirements
        if each.marker is None or each.marker.evaluate({"extra": ""})
    }
