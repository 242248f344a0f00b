"""What neighbours may know of views, and what this plugin asks of whoever keeps posts."""

from collections.abc import Collection, Mapping
from typing import Protocol

from sqlalchemy import column, table

from cms_host.api import Id
from cms_stats.calendar import day_of, hour_of

__all__ = ["ViewCounters", "day_of", "hour_of", "viewed_by_day", "viewed_by_hour"]

#: Read-only, for joins: how often each post was viewed on a day (see `day_of`) or in an hour (see `hour_of`). What was
#: not viewed then has no row; a post that is gone may still have some.
viewed_by_day = table("view_days", column("day"), column("post_id", Id), column("n", Id))
viewed_by_hour = table("view_hours", column("hour"), column("post_id", Id), column("n", Id))


class ViewCounters(Protocol):
    """Whoever keeps things that are viewed, and tells with each how often."""

    async def known(self, post_ids: Collection[int]) -> Collection[int]:
        """Those of the ids that something has."""

    async def add(self, views: Mapping[int, int]) -> Collection[int]:
        """More views, by id; inside a transaction. Gives the ids that were found, the others being gone meanwhile.

        Nothing that tells when the content changed may move (spec, Timestamp rules 2 and 4).
        """
