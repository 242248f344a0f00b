"""From an event to its targets: once, in order, the same bytes for all; and how long it is kept."""

import json

import pytest

from cms_host.api import Outbox, Result, emit
from cms_host.events.event import UnknownEvent
from cms_host.testing import Site
from tests.host.events.listeners import TABLES, Fan, Line, ThingHappened, bring, happen, listen, rows, statuses


@pytest.mark.shows("delivery.order")
async def test_an_event_reaches_every_target_of_every_sink_once_and_in_order(site: Site) -> None:
    line, fan = Line(), Fan()
    listen(site, line, fan)
    await happen(site, 1, 2, 3)
    await bring(site)
    await bring(site)

    assert line.got == [("", 1), ("", 2), ("", 3)]
    assert sorted(fan.got) == [("a", 1), ("a", 2), ("a", 3), ("b", 1), ("b", 2), ("b", 3)]
    assert [number for target, number in fan.got if target == "a"] == [1, 2, 3]
    assert {status for _, status, _ in await statuses(site)} == {"delivered"}


@pytest.mark.shows("delivery.frozen")
async def test_all_targets_get_the_same_bytes_which_are_those_of_the_moment_of_the_event(site: Site) -> None:
    line, fan = Line(), Fan()
    listen(site, line, fan)
    await happen(site, 1)
    site.clock.advance(60)
    await bring(site)

    (body,) = {*line.bodies, *fan.bodies}
    told = json.loads(body)
    assert [*told] == ["id", "event", "created_at", "data"]
    assert told["event"] == "thing_happened"
    assert told["created_at"] == "2026-01-15T12:00:00.000000+00:00"
    assert told["data"] == {"number": 1, "word": "ğ"}
    assert "ğ".encode() in body


@pytest.mark.shows("delivery.transaction")
async def test_no_event_without_its_change(site: Site) -> None:
    class Undone(Exception):
        pass

    listen(site, Line())
    before = {name: await rows(site, name) for name in TABLES}
    with pytest.raises(Undone):
        async with site.host.unit().write() as write:
            await emit(write, ThingHappened(1))
            raise Undone

    assert {name: await rows(site, name) for name in TABLES} == before


async def test_an_event_that_no_plugin_registered_is_refused(site: Site) -> None:
    listen(site, Line())
    site.host.event_kinds = {}
    with pytest.raises(UnknownEvent, match="thing_happened"):
        await happen(site, 1)


@pytest.mark.shows("delivery.days")
async def test_old_events_and_their_log_are_forgotten(site: Site) -> None:
    listen(site, Line())
    await happen(site, 1)
    await bring(site)
    site.clock.advance(29 * 86_400)
    await happen(site, 2)
    await bring(site)
    await site.host.jobs.named("host.forget-events").run(site.host.unit())
    assert [len(await rows(site, table)) for table in TABLES] == [2, 2, 2]

    site.clock.advance(2 * 86_400)
    await site.host.jobs.named("host.forget-events").run(site.host.unit())
    assert [len(await rows(site, table)) for table in TABLES] == [1, 1, 1]
    assert b'"number":2' in bytes((await rows(site, "events"))[0]["body"])


@pytest.mark.shows("delivery.days")
async def test_an_attempt_is_in_the_log_for_its_days_however_old_the_event_is(site: Site) -> None:
    line = Line()
    listen(site, line)
    await happen(site, 1)
    await bring(site)
    (first,) = await Outbox(site.host.unit(), line.name).log(None, 9)
    site.clock.advance(29 * 86_400)
    async with site.host.unit().write() as unit:
        assert await Outbox(unit, line.name).replay("", [], 0) == 1
    await bring(site)
    for days, left in ((2, 1), (29, 0)):
        site.clock.advance(days * 86_400)
        await site.host.jobs.named("host.forget-events").run(site.host.unit())
        logged = await Outbox(site.host.unit(), line.name).log(None, 9)
        assert [each.event_id for each in logged] == [first.event_id] * left
    assert [await rows(site, table) for table in TABLES] == [[], [], []]


async def test_health_tells_of_events_that_wait_and_of_paused_targets(site: Site) -> None:
    (check,) = [each for each in site.host.health_checks if each.name == "outbox"]
    fan = Fan(lambda delivery: Result(ok=False, pause=True), wanted=lambda event: ("a",))
    listen(site, fan)
    await happen(site, 1)
    assert await check.run(site.host.unit()) == "1 events wait"
    site.clock.advance(90)
    with pytest.raises(RuntimeError, match="1 events wait, the oldest for 90 seconds"):
        await check.run(site.host.unit())
    await bring(site)
    with pytest.raises(RuntimeError, match="paused: fan a: the receiver wants nothing any more"):
        await check.run(site.host.unit())
