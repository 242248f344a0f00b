"""Modes: what a rule may do on a site, whatever it was made to be (contract 10)."""

import asyncio
import logging
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cms_host.app import make_host
from cms_host.config import Config
from cms_host.gate import Finding, Gate, Report, mode_setting
from cms_host.logs import REQUEST_ID, JsonFormatter
from cms_host.plugins import PluginErrors
from cms_host.settings import InvalidSetting, Settings
from cms_host.testing import MakeSite, make_candidate

from .obedient_rules import NoDatabase, Preparing, Rule, codes, fail, giving, hang

LIMIT = 0.05
KEY = "gate.{}.mode".format


def gate_of(*rules: Any, **modes: str) -> tuple[Gate, Settings]:
    """A gate whose modes are settings, as a site's are; `modes` are those that somebody has set."""
    settings = Settings({"test": [mode_setting(rule) for rule in rules]})
    settings.assume({KEY(code): mode for code, mode in modes.items()})
    return Gate(rules, LIMIT, settings=settings), settings


async def run(*rules: Any, **modes: str) -> Report:
    async with asyncio.timeout(20):
        return await gate_of(*rules, **modes)[0].run(make_candidate(), NoDatabase())


@pytest.mark.shows("gate.mode")
@pytest.mark.parametrize(
    ("mode", "blocks", "warnings", "shadowed"),
    [("block", ["a"], [], ()), ("warn", [], ["a"], ()), ("shadow", [], [], ("a",)), ("off", [], [], ())],
)
async def test_a_mode_decides_what_becomes_of_a_finding(
    mode: str, blocks: list[str], warnings: list[str], shadowed: tuple[str, ...]
) -> None:
    rule, other = Rule("a", "found", "again"), Rule("b", "found")
    report = await run(rule, other, a=mode)

    assert sorted(set(codes(report.blocks))) == sorted([*blocks, "b"])
    assert sorted(set(codes(report.warnings))) == warnings
    assert report.shadowed == shadowed
    assert len(rule.seen) == (mode != "off")


async def test_a_shadow_that_finds_nothing_is_not_counted() -> None:
    assert await run(Rule("a"), a="shadow") == Report()


@pytest.mark.shows("gate.mode.default")
def test_the_default_is_the_rule_s_own_kind_and_a_warning_never_blocks() -> None:
    blocking, warning = mode_setting(Rule("acme.house_style")), mode_setting(Rule("w", kind="warning"))

    assert (blocking.key, blocking.default) == ("gate.acme.house_style.mode", "block")
    assert (warning.key, warning.default) == ("gate.w.mode", "warn")
    assert [blocking.parse(mode) for mode in ("block", "warn", "shadow", "off")]
    assert [warning.parse(mode) for mode in ("warn", "shadow", "off")]
    for setting, mode in ((warning, "block"), (blocking, "Block"), (blocking, "warning")):
        with pytest.raises(InvalidSetting):
            setting.parse(mode)


async def test_a_mode_is_read_at_each_run() -> None:
    gate, settings = gate_of(Rule("a", "found"))
    settings.assume({KEY("a"): "warn"})
    assert (await gate.run(make_candidate(), NoDatabase())).passes
    settings.assume({KEY("a"): "block"})
    assert not (await gate.run(make_candidate(), NoDatabase())).passes


async def test_a_rule_that_is_off_does_not_prepare() -> None:
    rule = Preparing("a", fail)
    gate, settings = gate_of(rule, a="off")

    assert not gate.prepares
    assert (await gate.run(make_candidate(), NoDatabase())).passes
    settings.assume({KEY("a"): "shadow"})
    assert gate.prepares


async def test_a_rule_that_is_switched_on_after_the_others_prepared_prepares_then() -> None:
    rule = Preparing("a", giving("A"))
    gate, settings = gate_of(rule, a="off")
    prepared = await gate.prepare(make_candidate())
    settings.assume({KEY("a"): "block"})

    assert (await gate.run(make_candidate(), NoDatabase(), prepared)).passes
    assert rule.seen[0].prepared == "A"


@pytest.mark.shows("gate.mode.crash")
@pytest.mark.parametrize("act", [fail, hang], ids=["raises", "hangs"])
@pytest.mark.parametrize("mode", ["warn", "shadow"])
async def test_a_blocking_rule_that_fails_in_another_mode_is_only_logged(
    mode: str, act: Any, caplog: pytest.LogCaptureFixture
) -> None:
    report = await run(Rule("a", act=act), Preparing("b", act), Rule("c"), a=mode, b=mode)

    assert report == Report()
    assert sorted(vars(record)["rule"] for record in caplog.records) == ["a", "b"]


async def test_a_failure_to_prepare_is_logged_once_even_if_no_run_follows(caplog: pytest.LogCaptureFixture) -> None:
    gate, _ = gate_of(Preparing("a", fail))
    token = REQUEST_ID.set("the-request")
    try:
        prepared = await gate.prepare(make_candidate(post_id=7))
        lines = [JsonFormatter().format(record) for record in caplog.records]
    finally:
        REQUEST_ID.reset(token)
    report = await gate.run(make_candidate(post_id=7), NoDatabase(), prepared)

    assert report.failed == ("a",)
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    for expected in ('"rule":"a"', '"post_id":7', '"request_id":"the-request"', "ZeroDivisionError", "in fail"):
        assert expected in lines[0]


ACTS = {"passes": None, "finds": giving([Finding("x", "x")]), "raises": fail}
MIX = st.tuples(
    st.sampled_from(["block", "warning"]), st.sampled_from(["block", "warn", "shadow", "off"]), st.sampled_from([*ACTS])
).filter(lambda each: each[:2] != ("warning", "block"))


@given(st.lists(MIX, max_size=8))
def test_only_what_blocks_refuses_and_nothing_else_is_shown_than_warnings(mix: list[tuple[str, str, str]]) -> None:
    rules = [Rule(f"r{n}", kind=kind, act=ACTS[act]) for n, (kind, _, act) in enumerate(mix)]
    modes = {f"r{n}": mode for n, (_, mode, _) in enumerate(mix)}
    gate = gate_of(*rules, **modes)[0]
    gate.timeout = 60
    report = asyncio.run(gate.run(make_candidate(), NoDatabase()))

    def those(mode: str, *acts: str) -> list[str]:
        return [f"r{n}" for n, (_, set_to, act) in enumerate(mix) if set_to == mode and act in acts]

    assert codes(report.blocks) == those("block", "finds", "raises")
    assert list(report.failed) == those("block", "raises")
    assert codes(report.warnings) == those("warn", "finds")
    assert list(report.shadowed) == those("shadow", "finds")


STRANGER = """
from cms_host.api import Finding, Setting, hookimpl


class HouseStyle:
    code, kind = "acme.house_style", "block"

    async def check(self, candidate, db):
        return [Finding("x", "x")]


@hookimpl
def cms_gate_rules(host):
    return [HouseStyle()]
"""


@pytest.mark.shows("gate.mode.setting")
async def test_every_loaded_rule_has_a_setting_and_that_of_another_is_neither_shown_nor_lost(
    install: Any, make_site: MakeSite
) -> None:
    install("gate-acme-house-style", STRANGER)
    key = KEY("acme.house_style")
    site = await make_site()
    admin = await site.client("admin")
    shown = (await admin.get(f"/settings/{key}")).data
    assert (shown["value"], shown["default"], shown["plugin"]) == ("block", "block", "gate-acme-house-style")
    assert {KEY(rule.code) for rule in site.host.gate.rules} <= site.host.settings.registry.keys()
    assert (await admin.put(f"/settings/{key}", json={"value": "shadow"})).data["value"] == "shadow"
    assert (await admin.put(f"/settings/{key}", json={"value": "loud"})).status == 422
    assert (await admin.put(f"/settings/{KEY('missing_h2')}", json={"value": "block"})).status == 422

    without = await make_site(disabled=["gate-acme-house-style"])
    admin = await without.client("admin", "another")
    assert (await admin.get(f"/settings/{key}")).status == 404
    assert key not in without.host.settings.registry

    again = await make_site()
    assert again.host.gate.mode("acme.house_style") == "shadow"


def test_a_setting_that_takes_the_name_of_a_mode_refuses_the_start(install: Any) -> None:
    own = '\n\n@hookimpl\ndef cms_settings():\n    return [Setting("gate.acme.house_style.mode", 1, "Another.")]\n'
    install("gate-acme-house-style", STRANGER + own)

    with pytest.raises(PluginErrors, match=r"both declare gate\.acme\.house_style\.mode"):
        make_host(Config())
