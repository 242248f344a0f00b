"""The hooks: each documented under its own signature, and each used."""

import inspect
import re
from types import FunctionType

import pytest

from cms_host import hookspecs

from .tree import ROOT

HOOKS = {
    name: value
    for name, value in vars(hookspecs).items()
    if isinstance(value, FunctionType) and hasattr(value, f"{hookspecs.PROJECT}_spec")
}
each_hook = pytest.mark.parametrize("name", HOOKS)


def signature(name: str) -> str:
    return name + str(inspect.signature(HOOKS[name])).replace("'", "")


def headings() -> list[str]:
    text = (ROOT / "docs" / "hooks.md").read_text("utf-8")
    return re.findall(r"^## `(cms_.*)`$", text, re.MULTILINE)


def test_every_hook_has_one_heading_that_equals_its_signature() -> None:
    assert headings() == [signature(name) for name in HOOKS]


@each_hook
def test_a_hook_says_what_it_is_for_and_returns_something(name: str) -> None:
    assert (HOOKS[name].__doc__ or "").endswith(".")
    assert inspect.signature(HOOKS[name]).return_annotation is not inspect.Signature.empty


@each_hook
def test_a_hook_is_synchronous_and_has_its_prefix(name: str) -> None:
    assert not inspect.iscoroutinefunction(HOOKS[name])
    assert name.startswith("cms_")


@each_hook
def test_a_hook_is_implemented_somewhere_and_called_by_the_host(name: str) -> None:
    plugins = [*ROOT.glob("plugins/**/*.py"), *ROOT.glob("tests/**/*.py")]

    assert any(re.search(rf"^\s*def {name}\(", path.read_text("utf-8"), re.MULTILINE) for path in plugins)
    assert any(
        f'"{name}"' in path.read_text("utf-8") for path in ROOT.glob("cms_host/**/*.py") if path.name != "hookspecs.py"
    ) or any(f'"{name}"' in path.read_text("utf-8") for path in ROOT.glob("plugins/**/*.py"))
