"""What becomes of events when sinks, receivers and processes fail: nothing is lost."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from cms_host.api import Delivery, Occurrence, Result, UnitOfWork
from cms_host.db import Reader
from cms_host.events import claims, dispatch, outbox
from cms_host.events.outbox import Lane
from cms_host.testing import Site
from tests.host.events.listeners import Act, Fan, Line, bring, fine, happen, lane_of, listen, rows, statuses


async def hang(delivery: Delivery) -> Result:
    await asyncio.Event().wait()
    raise AssertionError("nobody sets it")


def crash(delivery: Delivery) -> Result:
    raise RuntimeError("the sink is broken")


def babble(delivery: Delivery) -> Any:
    return "well"


@pytest.mark.parametrize("act", [hang, crash, babble])
@pytest.mark.shows("sinks.harmless")
async def test_a_sink_that_fails_harms_no_other(site: Site, act: Act, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "PATIENCE", 0.2)
    line, fan = Line(act), Fan()
    listen(site, line, fan)
    await happen(site, 1, 2)
    await bring(site)

    assert sorted(fan.got) == [("a", 1), ("a", 2), ("b", 1), ("b", 2)]
    assert ("", "pending", 1) in await statuses(site)
    failed = [row for row in await rows(site, "event_attempts") if not row["ok"]]
    assert len(failed) == 2
    assert all("Error" in row["record"]["error"] for row in failed)


async def test_a_sink_that_can_not_name_its_targets_is_asked_again_until_it_can(site: Site) -> None:
    def broken(event: Occurrence) -> Sequence[str]:
        raise RuntimeError("no idea")

    fan = Fan(wanted=broken)
    listen(site, fan)
    await happen(site, 1)
    for _ in range(len(dispatch.DELAYS) + 2):
        await bring(site)
        site.clock.advance(2 * dispatch.DELAYS[-1])
    fan.wanted = lambda event: ("a",)
    await bring(site)

    assert fan.got == [("a", 1)]


async def test_a_sink_that_hangs_over_naming_its_targets_keeps_no_other_waiting_and_gets_all_in_order(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Thinking(Fan):
        thinks = True

        async def targets(self, unit: UnitOfWork, event: Occurrence) -> Sequence[str]:
            if self.thinks and b'"number":2' in event.body:
                await asyncio.Event().wait()
            return ["a"]

    monkeypatch.setattr(dispatch, "ASKED", 0.2)
    monkeypatch.setattr(dispatch, "PATIENCE", 0.2)
    thinking, line = Thinking(), Line()
    listen(site, thinking, line)
    await happen(site, 1, 2, 3)
    await bring(site)
    await happen(site, 4)
    await bring(site)
    assert line.got == [("", 1), ("", 2), ("", 3), ("", 4)]
    assert [number for _, number in thinking.got] == [1, 3, 4]

    thinking.thinks = False
    site.clock.advance(2 * dispatch.DELAYS[1])
    await bring(site)
    assert [number for _, number in thinking.got] == [1, 3, 4, 2]


async def test_an_event_that_nobody_listens_to_is_asked_about_once(site: Site) -> None:
    listen(site)
    await happen(site, 1)
    await bring(site)
    late = Line()
    listen(site, late)
    await bring(site)

    assert late.got == []
    assert await statuses(site) == []


@pytest.mark.shows("delivery.retries")
async def test_what_fails_is_tried_again_by_the_table_and_then_given_up(site: Site) -> None:
    line = Line(lambda delivery: Result(ok=False, record={"attempt": delivery.attempt}))
    listen(site, line)
    await happen(site, 1)
    await bring(site)
    for tries, delay in enumerate((5, 60, 300, 1_800, 7_200, 21_600, 43_200), start=1):
        site.clock.advance(delay * (1 - dispatch.JITTER) - 1)
        await bring(site)
        assert len(line.got) == tries
        site.clock.advance(2 * delay * dispatch.JITTER + 2)
        await bring(site)
        assert len(line.got) == tries + 1

    assert await statuses(site) == [("", "failed", 8)]
    assert len(set(line.bodies)) == 1
    logged = await rows(site, "event_attempts")
    assert [row["record"]["attempt"] for row in logged] == [1, 2, 3, 4, 5, 6, 7, 8]
    site.clock.advance(10 * dispatch.DELAYS[-1])
    await bring(site)
    assert len(line.got) == 8


@pytest.mark.shows("delivery.retries.asked")
async def test_a_receiver_may_ask_for_more_time_up_to_an_hour(site: Site) -> None:
    line = Line(lambda delivery: Result(ok=False, retry_after=7_200))
    listen(site, line)
    await happen(site, 1)
    await bring(site)
    site.clock.advance(3_599)
    await bring(site)
    assert len(line.got) == 1
    site.clock.advance(2)
    await bring(site)
    assert len(line.got) == 2


@pytest.mark.shows("delivery.order")
async def test_newer_events_do_not_wait_for_one_that_waits_for_its_next_try(site: Site) -> None:
    line = Line(lambda delivery: Result(ok=delivery.attempt > 1 or b'"number":2' in delivery.event.body))
    listen(site, line)
    await happen(site, 1, 2)
    await bring(site)
    async with site.host.unit().write() as write:
        await outbox.pause(write.tx, Lane("line", ""), "until both are due", site.clock.now())
    await happen(site, 3)
    await bring(site)
    site.clock.advance(6)
    async with site.host.unit().write() as write:
        await outbox.resume(write.tx, Lane("line", ""))
    await bring(site)

    assert [number for _, number in line.got] == [1, 2, 3, 1]


async def test_a_target_that_wants_no_more_is_paused_alone_and_what_waits_comes_when_it_is_resumed(site: Site) -> None:
    gone = {"a": True}
    fan = Fan(lambda delivery: Result(ok=False, pause=True) if gone.get(delivery.target) else fine(delivery))
    listen(site, fan)
    await happen(site, 1)
    await bring(site)
    site.clock.advance(100_000)
    await happen(site, 2)
    await bring(site)
    assert sorted(fan.got) == [("a", 1), ("b", 1), ("b", 2)]

    gone["a"] = False
    async with site.host.unit().write() as write:
        await outbox.resume(write.tx, Lane("fan", "a"))
    await bring(site)
    assert [number for target, number in fan.got if target == "a"] == [1, 2, 1]


@pytest.mark.shows("delivery.given-up")
async def test_a_target_that_does_nothing_but_fail_for_five_days_is_paused(site: Site) -> None:
    line = Line(lambda delivery: Result(ok=False))
    listen(site, line)
    for day in range(5):
        await happen(site, day)
        await bring(site)
        site.clock.advance(86_399)
    await bring(site)
    assert (await lane_of(site, "line"))["paused_at"] is None
    site.clock.advance(5)
    await happen(site, 5)
    await bring(site)
    assert (await lane_of(site, "line"))["paused_why"] == "nothing but failures for five days"
    before = len(line.got)
    site.clock.advance(100_000)
    await happen(site, 6)
    await bring(site)
    assert len(line.got) == before


@pytest.mark.shows("delivery.given-up")
async def test_one_success_ends_the_count_of_failing_days(site: Site) -> None:
    line = Line(lambda delivery: Result(ok=b'"number":3' in delivery.event.body))
    listen(site, line)
    for day in range(7):
        await happen(site, day)
        await bring(site)
        site.clock.advance(86_401)

    assert (await lane_of(site, "line"))["paused_at"] is None


async def test_a_stopping_process_lets_an_attempt_end_and_keeps_its_outcome(site: Site) -> None:
    begun, may_end = asyncio.Event(), asyncio.Event()

    async def slow(delivery: Delivery) -> Result:
        begun.set()
        await may_end.wait()
        return Result(ok=True)

    line = Line(slow)
    listen(site, line)
    await happen(site, 1, 2)
    working = asyncio.create_task(site.run_job("host.events"))
    await begun.wait()
    working.cancel()
    may_end.set()
    await asyncio.gather(working, return_exceptions=True)

    assert await statuses(site) == [("", "delivered", 1), ("", "pending", 0)]


async def test_a_stopping_process_begins_no_attempt_while_it_waits_for_a_statement_to_end(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, looking, may_end, has_ended = (asyncio.Event() for _ in range(4))
    is_any_free = claims.is_any_free

    async def slow(delivery: Delivery) -> Result:
        begun.set()
        await may_end.wait()
        return Result(ok=True)

    async def look(db: Reader, search: claims.Search) -> bool:
        if begun.is_set():
            looking.set()
            try:
                await asyncio.Event().wait()
            finally:
                # As psycopg does, which waits for the server to have stopped a statement.
                await has_ended.wait()
        return await is_any_free(db, search)

    monkeypatch.setattr(claims, "is_any_free", look)
    monkeypatch.setattr(dispatch, "LOOK", 0.01)
    listen(site, Line(slow))
    await happen(site, 1, 2)
    working = asyncio.create_task(site.run_job("host.events"))
    async with asyncio.timeout(30):
        await looking.wait()
        working.cancel()
        may_end.set()
        while (await lane_of(site, "line"))["token"]:
            await asyncio.sleep(0.01)  # Until the turn is over.
    has_ended.set()
    await asyncio.gather(working, return_exceptions=True)

    assert await statuses(site) == [("", "delivered", 1), ("", "pending", 0)]
