"""Figures as clients see them (contract 5, stats)."""

from collections.abc import Mapping, Sequence
from typing import Any

from cms_host.api import Figures, local
from cms_stats.calendar import date_of, day_of
from cms_stats.schemas import DAYS
from cms_stats.store import DayViews

#: More ids are not repeated.
_MOST = 20
_POSTS = dict.fromkeys(("total", "published", "draft", "scheduled", "pending", "trash"), 0)
#: What the answer always has: where nothing that keeps such things is installed, there are none.
NOTHING: Mapping[str, Figures] = {
    "posts": _POSTS,
    "pages": _POSTS,
    "comments": dict.fromkeys(("total", "pending", "approved", "spam", "trash"), 0),
    "media": {"total": 0, "bytes": 0},
    "users": 0,
    "categories": 0,
    "tags": 0,
    "gate": {"refusals": {}, "shadow": {}, "schedule_refusals": 0},
}


def stats_record(
    figures: Mapping[str, Figures | None], views: Sequence[DayViews], now: int, zone: str
) -> dict[str, Any]:
    """`data` of the answer.

    :param figures: by the keys of their sources. :param views: of all days that have any.
    :param now: microseconds since the epoch. :param zone: the site's, whose calendar tells what today is.
    """
    shown = {"views": views_record(views, day_of(now, zone)), "generated_at": local(now, zone)}
    return {**NOTHING, **figures, **shown}


def views_record(views: Sequence[DayViews], today: int) -> dict[str, Any]:
    """Views of today and of the days before it; those of later days, by a zone that the site had, only count in all."""
    by_day = dict(views)
    daily = [by_day.get(day, 0) for day in range(today - DAYS + 1, today + 1)]
    return {
        "total": sum(by_day.values()),
        "today": daily[-1],
        "last_7_days": sum(daily[-7:]),
        "last_30_days": sum(daily[-30:]),
        "daily": [{"date": date_of(today - DAYS + 1 + place), "views": n} for place, n in enumerate(daily)],
    }


def counted_record(views: int, unknown: Sequence[int]) -> dict[str, Any]:
    """What became of views that were sent.

    :param unknown: ids that no post has.
    """
    return {"success": True, "counted": views, "warnings": [_unknown_posts(unknown)] if unknown else []}


def _unknown_posts(ids: Sequence[int]) -> dict[str, Any]:
    named = ", ".join(map(str, ids[:_MOST]))
    return {
        "code": "unknown_post",
        "message_tr": f"Bu kimlikli yazılar yok, görüntülemeleri sayılmadı: {named}.",
        "message_en": f"There are no posts with these ids, so their views were not counted: {named}.",
        "detail": {"field": "items", "entries": list(ids[:_MOST])},
    }
