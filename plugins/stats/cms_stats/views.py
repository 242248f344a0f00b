"""Views in the memory of one process, and the way from there into the database (contract 8: exact to the minute)."""

import asyncio
import secrets
from collections import Counter, deque
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from cms_host.api import UnitOfWork
from cms_stats import store
from cms_stats.api import ViewCounters
from cms_stats.calendar import day_of, hour_of
from cms_stats.store import Viewed

#: Seconds between writes.
EVERY = 60
#: Rows of one batch: no other writer waits for longer than these take.
LARGEST = 1_000
#: Held by whoever writes views, so that two processes who count the same posts do not wait for each other's rows.
VIEWS_LOCK = "stats.views"


class Batch(NamedTuple):
    """Views that are written in one transaction. One whose outcome is not known is written again, and counts once."""

    token: str
    viewed: tuple[Viewed, ...]


class PendingViews:
    """What one process has counted and not written yet."""

    def __init__(self) -> None:
        self._counted: Counter[tuple[int, int, int]] = Counter()
        self._sealed: deque[Batch] = deque()
        self._writing = asyncio.Lock()

    def note(self, views: Mapping[int, int], now: int, zone: str) -> None:
        """Remember views of posts, by their ids, as of now in the site's time zone."""
        hour, day = hour_of(now), day_of(now, zone)
        for post_id, n in views.items():
            self._counted[post_id, hour, day] += n

    async def flush(self, unit: UnitOfWork) -> None:
        """Write what was noted, in the order of the posts. What could not be written stays for the next time."""
        async with self._writing:
            self._seal()
            while self._sealed:
                async with unit.write(VIEWS_LOCK) as inner:
                    await write_batch(inner, self._sealed[0])
                # Not before the commit is certain. Whoever is cut off in between finds its token in the database.
                self._sealed.popleft()

    def _seal(self) -> None:
        counted, self._counted = sorted(self._counted.items()), Counter()
        viewed = [Viewed(*key, n) for key, n in counted]
        self._sealed.extend(batch_of(viewed[start : start + LARGEST]) for start in range(0, len(viewed), LARGEST))


def batch_of(viewed: Sequence[Viewed]) -> Batch:
    """These views, under a token of their own."""
    return Batch(secrets.token_hex(16), tuple(viewed))


async def write_batch(unit: UnitOfWork, batch: Batch) -> None:
    """Count a batch, inside a transaction that holds `VIEWS_LOCK`; nothing where it was counted before."""
    if await store.claim(unit.tx, batch.token, unit.host.clock.now()):
        await write(unit, batch.viewed)


async def write(unit: UnitOfWork, viewed: Sequence[Viewed]) -> None:
    """Count views, inside a transaction that holds `VIEWS_LOCK`; those of what is gone meanwhile are dropped."""
    views: Counter[int] = Counter()
    for each in viewed:
        views[each.post_id] += each.n
    there: set[int] = set()
    for counters in unit.all(ViewCounters) if views else ():
        there.update(await counters.add(views))
    await store.add(unit.tx, [each for each in viewed if each.post_id in there])


async def known(unit: UnitOfWork, post_ids: Collection[int]) -> set[int]:
    """Those of the ids that a post has; none where nobody keeps posts."""
    found: set[int] = set()
    for counters in unit.all(ViewCounters):
        found.update(await counters.known(post_ids))
    return found
