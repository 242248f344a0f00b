"""Trends as clients see them (contract 5)."""

from collections.abc import Sequence
from typing import Any

from cms_trends.store import TrendingTag
from cms_trends.trending import TrendingPost


def trends_record(period: str, posts: Sequence[TrendingPost], tags: Sequence[TrendingTag]) -> dict[str, Any]:
    """`data` of the answer."""
    items = [{**each._asdict(), "change": change(each.views, each.previous_views)} for each in posts]
    return {"period": period, "items": items, "tags": [each._asdict() for each in tags]}


def change(views: int, previous: int) -> float | None:
    """How much more that is than before, as a part of what it was; None where that was nothing."""
    return round((views - previous) / previous, 4) if previous else None
