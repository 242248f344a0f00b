"""Old views are forgotten by post, never in all."""

from collections.abc import Awaitable, Callable

from cms_host.api import DAY, Job, Transaction, UnitOfWork
from cms_stats import store
from cms_stats.calendar import day_of, hour_of
from cms_stats.settings import DAILY_DAYS, HOURLY_HOURS

#: For longer than this no process holds on to a batch that it could not write (microseconds).
_BATCHES_FOR = 30 * DAY
Forget = Callable[[Transaction, int], Awaitable[int]]


async def _forget(unit: UnitOfWork) -> None:
    now, settings = unit.host.clock.now(), unit.host.settings
    await _all(unit, store.forget_days, day_of(now, unit.host.timezone) - settings[DAILY_DAYS] + 1)
    await _all(unit, store.forget_hours, hour_of(now) - settings[HOURLY_HOURS] + 1)
    await _all(unit, store.forget_batches, now - _BATCHES_FOR)


async def _all(unit: UnitOfWork, forget: Forget, first: int) -> None:
    """A few rows in each transaction."""
    deleted = store.BATCH
    while deleted == store.BATCH:
        async with unit.write() as write:
            deleted = await forget(write.tx, first)


#: Deletes what was counted for single posts longer ago than the settings say.
FORGET = Job("stats.forget", every=3600, run=_forget)
