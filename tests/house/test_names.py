"""One word, five spellings: folder, distribution, import, entry point and the prefix of its settings."""

import pytest

from cms_host.config import PluginSwitches
from cms_host.plugins import installed, load_plugins

from .tree import Member, members

#: Endpoint names that are not their folder's.
ENDPOINTS = {"webhooks": "webhook"}
#: Settings whose names are part of the contract (chapter 4, Permalink).
NAMED_BY_CONTRACT = {"permalink"}
PREFIX = {"endpoint": "cms-", "rule": "cms-gate-", "sink": "cms-sink-"}
each_member = pytest.mark.parametrize("member", members(), ids=lambda member: member.name)


def word(member: Member) -> str:
    return member.name.replace("_", "-")


def plugin_name(member: Member) -> str:
    return {"endpoint": "", "rule": "gate-", "sink": "sink-"}[member.kind] + word(member)


def settings_prefixes(member: Member) -> tuple[str, ...]:
    name = ENDPOINTS.get(member.name, member.name)
    return {"endpoint": (f"{name}.",), "rule": (f"gate.{name}.",), "sink": (f"sink.{name}.",)}[member.kind]


@each_member
def test_the_distribution_is_named_after_the_folder(member: Member) -> None:
    assert member.project["project"]["name"] == PREFIX[member.kind] + word(member)


@each_member
def test_the_import_is_named_after_the_folder(member: Member) -> None:
    assert member.project["tool"]["flit"]["module"]["name"] == member.package
    package, module = member.folder / member.package / "plugin.py", member.folder / f"{member.package}.py"
    assert package.is_file() != module.is_file()


@each_member
def test_the_entry_point_is_named_after_the_folder(member: Member) -> None:
    module = member.package if (member.folder / f"{member.package}.py").is_file() else f"{member.package}.plugin"

    assert member.project["project"]["entry-points"] == {"cms_host.plugins": {plugin_name(member): module}}


@each_member
def test_every_plugin_is_built_and_finds_the_workspace_in_the_same_way(member: Member) -> None:
    project = member.project

    assert project["build-system"]["build-backend"] == "flit_core.buildapi"
    assert set(project["tool"]["uv"]["sources"]) == {name.replace("_", "-") for name in {"cms_host", *member.needs}}
    assert all(source == {"workspace": True} for source in project["tool"]["uv"]["sources"].values())
    assert project["project"]["version"] == members()[0].project["project"]["version"]


def test_every_plugin_of_the_workspace_is_installed() -> None:
    assert {plugin_name(member) for member in members()} <= {point.name for point in installed()}


def test_settings_begin_with_their_plugin_s_prefix() -> None:
    declared = dict(load_plugins(PluginSwitches()).call("cms_settings"))
    wrong = [
        setting.key
        for member in members()
        for setting in declared.get(plugin_name(member), ())
        if not setting.key.startswith(settings_prefixes(member)) and setting.key not in NAMED_BY_CONTRACT
    ]

    assert wrong == []
