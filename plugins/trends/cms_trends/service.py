"""What is read most of what may be told of."""

from collections.abc import Mapping, Sequence

from cms_host.api import UnitOfWork
from cms_trends import store
from cms_trends.period import Period, Span
from cms_trends.store import Ranked, ShownPost, TrendingTag
from cms_trends.trending import TrendingPost

#: Posts that are looked at beyond those that are wanted, for some may be hidden; and how many times more next.
SPARE, MORE = 50, 8


class TrendService:
    """Trends, the same for every caller."""

    def __init__(self, unit: UnitOfWork) -> None:
        self._unit = unit

    async def posts(self, period: Period, limit: int) -> Sequence[TrendingPost]:
        """At most so many posts, the one that is viewed most first."""
        span = self._span(period)
        ranked, shown = await self._visible(period, span, limit)
        before = await store.views_before(self._unit.db, period, span, [each.post_id for each in ranked])
        return [
            TrendingPost(*shown[post_id], views=views, previous_views=before.get(post_id, 0))
            for post_id, views in ranked
        ]

    async def tags(self, period: Period, limit: int) -> Sequence[TrendingTag]:
        """At most so many tags, the one whose posts are viewed most first."""
        return await store.trending_tags(self._unit.db, period, self._span(period), limit)

    async def _visible(
        self, period: Period, span: Span, limit: int
    ) -> tuple[Sequence[Ranked], Mapping[int, ShownPost]]:
        """The first of the ranking that may be told of. Adding up takes long, looking at every post takes longer."""
        most = limit + SPARE
        while True:
            ranked = await store.ranking(self._unit.db, period, span, most)
            shown = await store.shown(self._unit.db, [each.post_id for each in ranked])
            visible = [each for each in ranked if each.post_id in shown]
            if len(visible) >= limit or len(ranked) < most:
                return visible[:limit], shown
            most *= MORE

    def _span(self, period: Period) -> Span:
        return period.span(self._unit.host.clock.now(), self._unit.host.timezone)
