"""The gate fails closed: rules that raise, hang, or give what is no finding, in `check` and in `prepare`."""

import asyncio
import logging
from typing import Any

import pytest

from cms_host.gate import Finding, Gate
from cms_host.logs import REQUEST_ID, JsonFormatter
from cms_host.testing import make_candidate

from .obedient_rules import (
    FAILURES,
    OVERRUNS,
    NoDatabase,
    Preparing,
    Rule,
    cancel_itself,
    codes,
    exit_the_process,
    fail,
    giving,
    hang,
    run,
)  # fmt: skip


@pytest.mark.parametrize("act", FAILURES.values(), ids=FAILURES)
@pytest.mark.shows("gate.crash")
async def test_a_rule_that_fails_blocks_under_its_own_code(act: Any) -> None:
    report = await run(Rule("a", "found"), Rule("b", act=act), Rule("c", "found"))

    assert codes(report.blocks) == ["a", "b", "c"]
    assert "failed" in report.blocks[1].finding.message_en
    assert "hata" in report.blocks[1].finding.message_tr
    assert report.failed == ("b",)


@pytest.mark.parametrize("act", OVERRUNS.values(), ids=OVERRUNS)
@pytest.mark.shows("gate.slow")
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
@pytest.mark.shows("gate.crash.warning")
async def test_a_warning_rule_that_fails_is_only_logged(act: Any, caplog: pytest.LogCaptureFixture) -> None:
    report = await run(Rule("a", "told", kind="warning"), Rule("b", kind="warning", act=act))

    assert report.passes
    assert codes(report.warnings) == ["a"]
    assert report.failed == ()
    assert [vars(record)["rule"] for record in caplog.records] == ["b"]


@pytest.mark.shows("gate.crash.logged")
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
