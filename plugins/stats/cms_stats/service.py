"""The site's figures, and views that are counted."""

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from cms_host.api import Figures, StatSource, UnitOfWork
from cms_stats import store
from cms_stats.calendar import day_of, hour_of
from cms_stats.store import DayViews, Viewed
from cms_stats.views import PendingViews, known, write

log = logging.getLogger("cms_stats")
#: Seconds that one source may take.
TIME_LIMIT = 5.0


class Counted(NamedTuple):
    """What became of views that were sent."""

    #: How many are counted.
    views: int
    #: Ids that no post has, ascending.
    unknown: Sequence[int]


class StatService:
    """Figures of the site."""

    def __init__(self, unit: UnitOfWork) -> None:
        self._unit = unit
        self._host = unit.host

    async def figures(self) -> Mapping[str, Figures | None]:
        """What every source tells, by its key, all asked side by side; None of one that failed or was late."""
        sources = self._host.stat_sources
        told = await asyncio.gather(*(self._ask(each) for each in sources))
        return {source.name: figures for source, figures in zip(sources, told, strict=True)}

    async def views(self) -> Sequence[DayViews]:
        """The views of every day that has any, oldest first: what is written, so the last minute's may be missing."""
        return await store.totals(self._unit.db)

    async def note(self, sent: Iterable[tuple[int, int]]) -> Counted:
        """Keep views in memory until the next minute.

        :param sent: ids of posts and numbers of views; an id may occur more than once.
        """
        views, counted = await self._told_apart(sent)
        self._host.one(PendingViews).note(views, self._host.clock.now(), self._host.timezone)
        return counted

    async def count(self, sent: Iterable[tuple[int, int]]) -> Counted:
        """The same, written at once; inside a transaction that holds `VIEWS_LOCK`."""
        views, counted = await self._told_apart(sent)
        now = self._host.clock.now()
        hour, day = hour_of(now), day_of(now, self._host.timezone)
        await write(self._unit, [Viewed(post_id, hour, day, n) for post_id, n in sorted(views.items())])
        return counted

    async def _told_apart(self, sent: Iterable[tuple[int, int]]) -> tuple[Mapping[int, int], Counted]:
        added: Counter[int] = Counter()
        for post_id, n in sent:
            added[post_id] += n
        there = await known(self._unit, added.keys())
        views = {post_id: n for post_id, n in added.items() if post_id in there}
        return views, Counted(sum(views.values()), sorted(added.keys() - there))

    async def _ask(self, source: StatSource) -> Figures | None:
        try:
            async with asyncio.timeout(TIME_LIMIT):
                return await source.run(self._host.unit())
        except Exception:
            log.exception("figures could not be told", extra={"source": source.name})
            return None
