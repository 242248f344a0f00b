"""The project's files, for the tests that hold them to the house's laws."""

import ast
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
HOST = ROOT / "cms_host"


class Import(NamedTuple):
    """One imported module, by its full dotted name, and where that happens."""

    module: str
    where: str


@dataclass(frozen=True)
class Member:
    """One plugin's folder."""

    folder: Path

    @cached_property
    def project(self) -> dict[str, Any]:
        """`pyproject.toml`."""
        return tomllib.loads((self.folder / "pyproject.toml").read_text("utf-8"))

    @property
    def kind(self) -> str:
        """`endpoint`, `rule` or `sink`."""
        return {"gate_rules": "rule", "event_sinks": "sink"}.get(self.folder.parent.name, "endpoint")

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def package(self) -> str:
        """What is imported."""
        return {"rule": "cms_gate_", "sink": "cms_sink_"}.get(self.kind, "cms_") + self.name

    @cached_property
    def sources(self) -> list[Path]:
        """The modules that are shipped, except for those that help tests."""
        return [path for path in self._python() if not _is_test(path.relative_to(self.folder))]

    @cached_property
    def tests(self) -> list[Path]:
        return [path for path in self._python() if _is_test(path.relative_to(self.folder))]

    @property
    def needs(self) -> set[str]:
        """The packages of the neighbours that the project file lists, to have or to work better with."""
        project = self.project["project"]
        lines = chain(project["dependencies"], *project.get("optional-dependencies", {}).values())
        return {name.replace("-", "_") for line in lines if (name := _distribution(line)).startswith("cms-")}

    def _python(self) -> list[Path]:
        return sorted(self.folder.rglob("*.py"))


@cache
def members() -> tuple[Member, ...]:
    """Every plugin of the workspace."""
    return tuple(Member(path.parent) for path in sorted(ROOT.glob("plugins/**/pyproject.toml")))


@cache
def host_sources() -> tuple[Path, ...]:
    return tuple(sorted(HOST.rglob("*.py")))


def sources() -> list[Path]:
    """Everything that is shipped."""
    return [*host_sources(), *(path for member in members() for path in member.sources)]


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), path.name)


def imports(path: Path) -> Iterator[Import]:
    """Whatever a file imports, at its top or later; `from a import b` counts as `a`, and as `a.b` for a package `a`."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, place(path, node)) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(path, node)
            for alias in node.names:
                module = base if "." in base else f"{base}.{alias.name}"
                yield Import(module, place(path, node))


def place(path: Path, node: ast.stmt | ast.expr) -> str:
    return f"{path.relative_to(ROOT)}:{node.lineno}"


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from `def` to the end."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _absolute(path: Path, node: ast.ImportFrom) -> str:
    if node.level == 0:
        return node.module or ""
    folder = path.parents[node.level - 1]
    root = next(parent for parent in (folder, *folder.parents) if not (parent.parent / "__init__.py").exists())
    return ".".join([*folder.relative_to(root.parent).parts, *filter(None, [node.module])])


def _distribution(requirement: str) -> str:
    return requirement.split("[")[0].split(">")[0].split("=")[0].split("<")[0].strip()


def _is_test(path: Path) -> bool:
    return "tests" in path.parts or path.name.startswith("test_") or path.name in ("testing.py", "conftest.py")
