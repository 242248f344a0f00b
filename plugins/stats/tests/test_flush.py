"""From memory into the database: nothing is lost, nothing counts twice."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest

from cms_host.testing import FakeClock, MakeSite, Site, dump, serving
from cms_stats import views
from cms_stats.api import ViewCounters
from cms_stats.views import PendingViews

from .conftest import FLUSH, SQLITE_ALONE, Counters, shown, view


async def flush(site: Site) -> None:
    await site.host.one(PendingViews).flush(site.host.unit())


async def test_views_are_written_when_the_process_stops(clock: FakeClock, database_url: str) -> None:
    async with serving(clock, database_url=database_url, enabled=["users", "stats"], jobs=True) as stopping:
        stopping.provide(ViewCounters, Counters(1))
        await view(stopping, {1: 5})

    assert dump(database_url)["view_totals"] == [(20_468, 5)]


async def test_views_of_several_processes_add_up(site: Site, make_site: MakeSite, counters: Counters) -> None:
    other = await make_site(enabled=["users", "stats"])
    other.provide(ViewCounters, counters)
    note(site, {1: 1, 2: 2})
    note(other, {3: 30, 2: 20})
    await asyncio.gather(site.run_job(FLUSH), other.run_job(FLUSH))

    assert (counters.views[1], counters.views[2], counters.views[3]) == (1, 22, 30)
    assert (await shown(site))["total"] == 53


def note(site: Site, noted: Mapping[int, int]) -> None:
    site.host.one(PendingViews).note(noted, site.clock.now(), site.host.timezone)


async def test_what_could_not_be_written_waits_for_the_next_turn(
    site: Site, counters: Counters, caplog: pytest.LogCaptureFixture
) -> None:
    note(site, {1: 1})
    await site.host.db.close()
    await site.host.jobs.run_due(site.host.jobs.named(FLUSH))
    assert [record.levelno for record in caplog.records if record.name == "cms_host.jobs"] == [logging.ERROR]
    await site.host.db.open()
    note(site, {1: 2})
    await site.run_job(FLUSH)

    assert counters.views[1] == (await shown(site))["total"] == 3


@pytest.mark.parametrize("error", [ConnectionError, asyncio.CancelledError])
async def test_batch_whose_commit_was_not_confirmed_counts_once(
    site: Site, counters: Counters, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    begin = site.host.db.transaction

    @asynccontextmanager
    async def cut_off(lock: str | None = None) -> AsyncIterator[Any]:
        async with begin(lock) as tx:
            yield tx
        raise error("after the commit")

    note(site, {1: 1})
    with monkeypatch.context() as patched:
        patched.setattr(site.host.db, "transaction", cut_off)
        with pytest.raises(error):
            await flush(site)
    note(site, {1: 10})
    await flush(site)

    assert counters.views[1] == (await shown(site))["total"] == 11


async def test_views_of_what_is_deleted_meanwhile_are_dropped_alone(site: Site, counters: Counters) -> None:
    await view(site, {1: 1, 2: 2})
    del counters.views[1]
    await site.run_job(FLUSH)

    assert counters.views.total() == (await shown(site))["total"] == 2


@SQLITE_ALONE
async def test_what_is_noted_during_a_write_is_not_lost(site: Site) -> None:
    class Slow(Counters):
        async def add(self, noted: Mapping[int, int]) -> Collection[int]:
            writing.set()
            await go_on.wait()
            return await super().add(noted)

    writing, go_on, slow = asyncio.Event(), asyncio.Event(), Slow(1)
    site.provide(ViewCounters, slow)
    note(site, {1: 1})
    flushing = asyncio.create_task(flush(site))
    await writing.wait()
    note(site, {1: 2})
    second = asyncio.create_task(flush(site))
    go_on.set()
    await asyncio.gather(flushing, second)

    assert slow.views[1] == (await shown(site))["total"] == 3


async def test_many_views_are_written_in_batches(
    site: Site, monkeypatch: pytest.MonkeyPatch, database_url: str
) -> None:
    monkeypatch.setattr(views, "LARGEST", 40)
    noted = {number: number % 7 + 1 for number in range(1, 101)}
    site.provide(ViewCounters, counters := Counters(*noted))
    note(site, noted)
    await flush(site)

    assert counters.views == Counter(noted)
    tables = dump(database_url)
    assert len(tables["view_batches"]) == 3
    assert {post_id: n for _, post_id, n in tables["view_days"]} == noted
    assert {post_id: n for _, post_id, n in tables["view_hours"]} == noted
