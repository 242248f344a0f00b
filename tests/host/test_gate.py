"""The gate: what it makes of what rules find, which rules it takes, and what it costs."""

import asyncio
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cms_host.gate import Finding, Gate, InvalidRule, Report
from cms_host.testing import make_candidate

from .obedient_rules import NoDatabase, Rule, codes, fail, giving, run


async def test_a_candidate_that_no_rule_objects_to_passes() -> None:
    report = await run(Rule("a"), Rule("b", kind="warning"))

    assert report == Report()
    assert report.passes


@pytest.mark.shows("gate.together")
async def test_findings_of_all_rules_are_reported_together_in_the_order_of_the_codes() -> None:
    rules = [Rule("c", "3"), Rule("w", "4", kind="warning"), Rule("a", "1", "2"), Rule("b"), Rule("v", kind="warning")]
    report = await run(*rules)

    found = [(each.code, each.finding.message_en) for each in report.blocks]
    assert found == [("a", "en 1"), ("a", "en 2"), ("c", "en 3")]
    assert codes(report.warnings) == ["w"]
    assert not report.passes
    assert await run(*reversed(rules)) == report


async def test_a_warning_does_not_block() -> None:
    assert (await run(Rule("w", "only told", kind="warning"))).passes


@pytest.mark.shows("gate.check.detail", "errors.refusal")
async def test_a_block_shows_exactly_its_three_keys() -> None:
    report = await run(Rule("a", act=giving([Finding("kısa", "short", 5, 10, (1, 2), "title")])))

    assert report.blocks[0].shown() == {"code": "a", "message_tr": "kısa", "message_en": "short"}
    assert report.blocks[0].detailed() == {
        "code": "a",
        "message_tr": "kısa",
        "message_en": "short",
        "detail": {"measured": 5, "required": 10, "related_ids": [1, 2], "field": "title"},
    }


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (Rule("a", kind="blok"), "its kind is 'blok'"),
        (Rule("House Style"), "a code is lower case"),
        (Rule("acme."), "a code is lower case"),
        (Rule(""), "a code is lower case"),
        (type("Unchecking", (), {"code": "acme.style", "kind": "block"})(), "acme.style has no check"),
    ],
    ids=["of_an_unknown_kind", "with_a_space_in_its_code", "with_half_a_name", "without_a_code", "without_a_check"],
)
def test_a_rule_that_could_not_block_is_refused(rule: Any, message: str) -> None:
    with pytest.raises(InvalidRule, match=message):
        Gate([Rule("fine"), rule])


BEHAVIOURS = st.sampled_from(["passes", "finds", "raises", "gives_none"])


@given(st.lists(st.tuples(st.sampled_from(["block", "warning"]), BEHAVIOURS), max_size=8), st.randoms())
def test_a_candidate_passes_only_if_every_blocking_rule_says_so(mix: list[tuple[str, str]], random: Any) -> None:
    acts = {"passes": None, "finds": giving([Finding("x", "x")]), "raises": fail, "gives_none": giving(None)}
    rules = [Rule(f"r{n}", kind=kind, act=acts[behaviour]) for n, (kind, behaviour) in enumerate(mix)]
    random.shuffle(rules)
    report = asyncio.run(run(*rules, limit=60))

    numbered = [(f"r{n}", *each) for n, each in enumerate(mix)]
    assert codes(report.blocks) == [code for code, kind, act in numbered if kind == "block" and act != "passes"]
    assert codes(report.warnings) == [code for code, kind, act in numbered if kind == "warning" and act == "finds"]
    assert report.passes == (not report.blocks)


async def test_the_gate_costs_less_than_a_timeout_around_every_rule() -> None:
    rules = [Rule(f"r{number}") for number in range(11)]
    gate, candidate, db = Gate(rules), make_candidate(), NoDatabase()

    async def by_the_gate() -> None:
        await gate.run(candidate, db, await gate.prepare(candidate))

    async def by_timeouts() -> None:
        for rule in rules:
            async with asyncio.timeout(2):
                await rule.check(candidate, db)

    async def best(act: Any) -> float:
        return min([await _seconds(act) for _ in range(20)])

    assert await best(by_the_gate) < await best(by_timeouts)


async def _seconds(act: Any) -> float:
    began = time.perf_counter()
    for _ in range(50):
        await act()
    return time.perf_counter() - began
