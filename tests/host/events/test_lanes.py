"""Processes share the lanes of an outbox, and those that answer share no lane with those that do not."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from cms_host.api import Delivery, Result
from cms_host.events import claims, dispatch, outbox
from cms_host.events.outbox import Lane
from cms_host.testing import Site
from tests.host.events.listeners import Fan, Line, bring, fine, happen, listen, statuses


async def test_receivers_that_failed_never_take_the_places_of_those_that_answer(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two are dead, there is room for one such at a time, and both are tried again while the third is told."""
    told, at_once, most = asyncio.Event(), 0, 0

    async def receive(delivery: Delivery) -> Result:
        nonlocal at_once, most
        if delivery.target == "good":
            if b'"number":2' in delivery.event.body:
                told.set()
            return fine(delivery)
        if delivery.attempt > 1:
            at_once += 1
            most = max(most, at_once)
            await told.wait()
            at_once -= 1
        return Result(ok=False)

    monkeypatch.setattr(dispatch, "MOST_LANES", {False: 3, True: 1})
    fan = Fan(receive, wanted=lambda event: ("dead", "deader", "good"))
    listen(site, fan)
    await happen(site, 1)
    await bring(site)
    site.clock.advance(6)
    await happen(site, 2)
    await bring(site)

    assert most == 1
    assert [(target, number) for target, number in fan.got if target == "good"] == [("good", 1), ("good", 2)]
    assert fan.got.count(("dead", 1)) == fan.got.count(("deader", 1)) == 2


async def test_two_hosts_share_the_work_and_deliver_everything_once(make_host: Callable[[], Awaitable[Site]]) -> None:
    sites = [await make_host() for _ in range(2)]
    fans = [Fan(wanted=lambda event: [str(number) for number in range(8)]) for _ in sites]
    for site, fan in zip(sites, fans, strict=True):
        listen(site, fan)
    for number in range(10):
        await happen(sites[number % 2], number)
    await asyncio.gather(*map(bring, sites))

    got = [*fans[0].got, *fans[1].got]
    assert sorted(got) == sorted((str(target), number) for target in range(8) for number in range(10))


@pytest.mark.shows("delivery.dead")
async def test_the_lane_of_a_dead_process_is_taken_over_when_its_lease_has_run_out(site: Site) -> None:
    line = Line()
    listen(site, line)
    await happen(site, 1)
    async with site.host.unit().write() as write:
        now = site.clock.now()
        search = claims.Search(["line"], is_failing=False, now=now, most=9)
        assert await claims.claim(write.tx, search, "of the dead", now + dispatch.LEASE * 1_000_000)
    await bring(site)
    assert line.got == []
    site.clock.advance(dispatch.LEASE)
    await bring(site)
    assert line.got == [("", 1)]


async def test_who_lost_its_lane_keeps_no_outcome_and_the_event_is_not_lost(site: Site) -> None:
    async def lose(delivery: Delivery) -> Result:
        if delivery.attempt == 1 and not line.got[1:]:
            async with site.host.unit().write() as write:
                await outbox.resume(write.tx, Lane("line", ""))
        return Result(ok=True)

    line = Line(lose)
    listen(site, line)
    await happen(site, 1)
    await bring(site)

    assert line.got == [("", 1), ("", 1)]
    assert await statuses(site) == [("", "delivered", 1)]
