"""The gate: what it makes of rules that find something, and of rules that misbehave."""

import asyncio
import logging
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cms_host.gate import Candidate, Finding, Gate, InvalidRule, Report
from cms_host.logs import REQUEST_ID, JsonFormatter
from cms_host.testing import make_candidate

#: Short, and yet far longer than any of the rules here takes that does not hang.
SHORT = 0.05


class NoDatabase:
    """What rules are given that ask for nothing."""

    dialect = "none"


class Rule:
    """A rule that behaves as it is told: gives its findings, or does whatever `act` does."""

    def __init__(self, code: str, *messages: str, kind: str = "block", act: Any = None) -> None:
        self.code = code
        self.kind = kind
        self._found = [Finding(f"tr {each}", f"en {each}") for each in messages]
        self._act = act
        self.seen: list[Candidate] = []

    async def check(self, candidate: Candidate, db: Any) -> Any:
        self.seen.append(candidate)
        return self._found if self._act is None else await self._act()


class Preparing(Rule):
    """A rule that prepares what `ready` gives."""

    def __init__(self, code: str, ready: Any, kind: str = "block") -> None:
        super().__init__(code, kind=kind)
        self._ready = ready

    async def prepare(self, candidate: Candidate) -> Any:
        return await self._ready()


async def run(*rules: Any, limit: float = SHORT, **options: Any) -> Report:
    """What a gate with these rules says of an article that nothing is wrong with; fails where the gate hangs."""
    async with asyncio.timeout(10):
        return await Gate(rules, limit, **options).run(make_candidate(), NoDatabase())


def codes(verdicts: Sequence[Any]) -> list[str]:
    return [verdict.code for verdict in verdicts]


async def hang() -> None:
    await asyncio.Event().wait()


async def fail() -> None:
    raise ZeroDivisionError("the rule's own mistake")


async def exit_the_process() -> None:
    sys.exit("the rule thought that it was a script")


async def time_out_inside() -> None:
    raise TimeoutError


async def cancel_itself() -> None:
    raise asyncio.CancelledError


async def hang_and_say_nothing_is_wrong() -> list[Finding]:
    with suppress(asyncio.CancelledError):
        await hang()
    return []


async def hang_and_fail() -> None:
    try:
        await hang()
    except asyncio.CancelledError:
        raise ValueError("broken off") from None


def giving(value: Any) -> Any:
    async def give() -> Any:
        return value

    return give


FAILURES = {
    "raises": fail,
    "exits_the_process": exit_the_process,
    "times_out_inside": time_out_inside,
    "cancels_itself": cancel_itself,
    "gives_none": giving(None),
    "gives_text": giving(["too short"]),
    "gives_a_message_in_one_language": giving([Finding("", "Too short.")]),
    "gives_a_message_that_is_no_text": giving([Finding(1, 2)]),  # type: ignore[arg-type]
    "gives_what_json_cannot_tell": giving([Finding("kısa", "short", measured=Decimal(1))]),
    "gives_what_utf_8_cannot_tell": giving([Finding("kısa", "short \ud800")]),
}
OVERRUNS = {
    "hangs": hang,
    "ignores_that_it_is_stopped": hang_and_say_nothing_is_wrong,
    "fails_when_it_is_stopped": hang_and_fail,
}


async def test_a_candidate_that_no_rule_objects_to_passes() -> None:
    report = await run(Rule("a"), Rule("b", kind="warning"))

    assert report == Report()
    assert report.passes


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


async def test_a_block_shows_exactly_its_three_keys() -> None:
    report = await run(Rule("a", act=giving([Finding("kısa", "short", 5, 10, (1, 2), "title")])))

    assert report.blocks[0].shown() == {"code": "a", "message_tr": "kısa", "message_en": "short"}
    assert report.blocks[0].detailed() == {
        "code": "a",
        "message_tr": "kısa",
        "message_en": "short",
        "detail": {"measured": 5, "required": 10, "related_ids": [1, 2], "field": "title"},
    }


@pytest.mark.parametrize("act", FAILURES.values(), ids=FAILURES)
async def test_a_rule_that_fails_blocks_under_its_own_code(act: Any) -> None:
    report = await run(Rule("a", "found"), Rule("b", act=act), Rule("c", "found"))

    assert codes(report.blocks) == ["a", "b", "c"]
    assert "failed" in report.blocks[1].finding.message_en
    assert "hata" in report.blocks[1].finding.message_tr
    assert report.failed == ("b",)


@pytest.mark.parametrize("act", OVERRUNS.values(), ids=OVERRUNS)
async def test_a_rule_that_hangs_blocks_within_its_limit(act: Any) -> None:
    report = await run(Rule("a", "found"), Rule("b", act=act), Rule("c", "found"))

    assert codes(report.blocks) == ["a", "b", "c"]
    assert "0.05 seconds" in report.blocks[1].finding.message_en
    assert "0.05 saniye" in report.blocks[1].finding.message_tr
    assert report.failed == ("b",)


async def test_two_rules_that_hang_both_block() -> None:
    report = await run(Rule("a", act=hang), Rule("b"), Rule("c", act=hang))

    assert codes(report.blocks) == ["a", "c"]
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0


async def test_a_rule_that_never_lets_go_of_the_loop_blocks_when_it_was_late() -> None:
    now = [0.0]

    async def compute() -> list[Finding]:
        now[0] += 2.01
        return []

    report = await run(Rule("a", act=compute), limit=2, clock=lambda: now[0])
    assert codes(report.blocks) == ["a"]
    assert "2 seconds" in report.blocks[0].finding.message_en


async def test_each_rule_has_the_whole_limit_for_itself() -> None:
    now = [0.0]

    async def compute() -> list[Finding]:
        now[0] += 1.99
        return []

    rules = [Rule(f"rule_{number}", act=compute) for number in range(5)]
    assert (await run(*rules, limit=2, clock=lambda: now[0])).passes


@pytest.mark.parametrize("act", [fail, hang], ids=["raises", "hangs"])
async def test_a_warning_rule_that_fails_is_only_logged(act: Any, caplog: pytest.LogCaptureFixture) -> None:
    report = await run(Rule("a", "told", kind="warning"), Rule("b", kind="warning", act=act))

    assert report.passes
    assert codes(report.warnings) == ["a"]
    assert report.failed == ()
    assert [vars(record)["rule"] for record in caplog.records] == ["b"]


async def test_a_failure_is_logged_with_rule_post_request_and_traceback(caplog: pytest.LogCaptureFixture) -> None:
    token = REQUEST_ID.set("the-request")
    try:
        await Gate([Rule("a", act=fail)]).run(make_candidate(post_id=7), NoDatabase())
        lines = [JsonFormatter().format(record) for record in caplog.records]
    finally:
        REQUEST_ID.reset(token)

    assert len(lines) == 1
    for expected in ('"rule":"a"', '"post_id":7', '"request_id":"the-request"', "ZeroDivisionError", "in fail"):
        assert expected in lines[0]
    assert caplog.records[0].levelno == logging.ERROR


async def test_a_cancelled_request_ends_and_is_no_finding() -> None:
    began = asyncio.Event()

    async def begin() -> None:
        began.set()
        await hang()

    after = Rule("b")
    task = asyncio.create_task(run(Rule("a", act=begin), after, limit=60))
    await began.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert after.seen == []


async def test_what_a_rule_prepares_reaches_that_rule_alone() -> None:
    rules = [Preparing("a", giving("A")), Preparing("b", giving("B")), Rule("c")]
    gate = Gate(rules)
    await gate.run(make_candidate(), NoDatabase(), await gate.prepare(make_candidate()))

    assert [rule.seen[0].prepared for rule in rules] == ["A", "B", None]


async def test_rules_prepare_where_nobody_did_it_before() -> None:
    rule = Preparing("a", giving("A"))
    assert (await run(rule)).passes
    assert rule.seen[0].prepared == "A"


@pytest.mark.parametrize("ready", [fail, hang, exit_the_process, cancel_itself])
async def test_a_rule_that_fails_to_prepare_blocks(ready: Any) -> None:
    rule = Preparing("b", ready)
    report = await run(Rule("a", "found"), rule)

    assert codes(report.blocks) == ["a", "b"]
    assert report.failed == ("b",)
    assert rule.seen == []


async def test_a_warning_rule_that_fails_to_prepare_is_only_logged(caplog: pytest.LogCaptureFixture) -> None:
    assert (await run(Preparing("a", fail, kind="warning"))).passes
    assert [vars(record)["rule"] for record in caplog.records] == ["a"]


async def test_a_rule_whose_preparation_is_missing_blocks() -> None:
    report = await Gate([Preparing("a", giving("A"))]).run(make_candidate(), NoDatabase(), {})

    assert codes(report.blocks) == ["a"]


async def test_a_rule_may_prepare_an_exception_as_its_value() -> None:
    rule = Preparing("a", giving(ValueError("told, not raised")))

    assert (await run(rule)).passes
    assert isinstance(rule.seen[0].prepared, ValueError)


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
