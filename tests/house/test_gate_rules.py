"""What every gate rule of this repository has to keep to, whoever adds one."""

import inspect
import tomllib
from pathlib import Path

import pytest

from cms_host.app import make_host
from cms_host.config import Config
from docs.generate import PAGES

ROOT = Path(__file__).parents[2]
FOLDERS = sorted(file.parent for file in ROOT.glob("plugins/gate_rules/*/pyproject.toml"))
each_rule = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


@each_rule
def test_folder_package_module_and_plugin_are_one_name(folder: Path) -> None:
    pyproject = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))
    dashed = f"gate-{folder.name.replace('_', '-')}"
    points = pyproject["project"]["entry-points"]["cms_host.plugins"]

    assert pyproject["project"]["name"] == f"cms-{dashed}"
    assert list(points) == [dashed]
    assert points[dashed].partition(".")[0] == f"cms_gate_{folder.name}"


@each_rule
def test_a_rule_says_what_is_wrong_and_what_is_right_and_keeps_its_settings_to_itself(folder: Path) -> None:
    host = make_host(Config())
    plugin = f"gate-{folder.name.replace('_', '-')}"
    rules = [rule for name, rule in host.plugins.each("cms_gate_rules", host=host) if name == plugin]
    settings = [key for key, (_, owner) in host.settings.registry.items() if owner == plugin]

    assert [rule.code for rule in rules] == [folder.name]
    paragraphs = (inspect.getdoc(type(rules[0])) or "").split("\n\n")
    marked = [each.partition(":")[0] for each in paragraphs if each.startswith("*")]
    assert marked == ["*Anti-pattern*", "*Best practice*"]
    assert all(key.startswith(f"gate.{folder.name}.") for key in settings)


@pytest.mark.parametrize("page", PAGES)
def test_a_generated_page_is_up_to_date(page: str) -> None:
    assert (ROOT / "docs" / f"{page}.md").read_text("utf-8") == PAGES[page](), f"run: python docs/generate.py {page}"
