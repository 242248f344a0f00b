"""Days and hours as views are counted by them."""

from datetime import date

from cms_host.api import local

_HOUR = 3_600_000_000
_FIRST = date(1970, 1, 1).toordinal()


def day_of(moment: int, zone: str) -> int:
    """The day that the calendar shows in the zone at a moment: days since 1970-01-01.

    :param moment: microseconds since the epoch. :param zone: IANA name.
    """
    return date.fromisoformat(local(moment, zone)[:10]).toordinal() - _FIRST


def hour_of(moment: int) -> int:
    """Hours since the epoch at a moment, which is in microseconds: the same in every zone, whatever its clocks do."""
    return moment // _HOUR


def date_of(day: int) -> str:
    """`YYYY-MM-DD` of a number of days since 1970-01-01."""
    return date.fromordinal(day + _FIRST).isoformat()
