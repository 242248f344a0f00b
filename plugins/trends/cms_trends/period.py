"""The periods that trends are told of: each ends now, and is as long as the one before it."""

from typing import NamedTuple

from cms_stats.api import day_of, hour_of


class Period(NamedTuple):
    """A number of days of the site's calendar, or of hours of the clock; the last one is under way."""

    name: str
    in_hours: bool
    length: int

    def span(self, now: int, zone: str) -> "Span":
        """The days or hours that it has at a moment.

        :param now: microseconds since the epoch. :param zone: IANA name of the site's time zone.
        """
        last = hour_of(now) if self.in_hours else day_of(now, zone)
        first = last - self.length + 1
        return Span(first - self.length, first, last)


class Span(NamedTuple):
    """The first day or hour of the period before, the first and the last of the period itself."""

    before: int
    first: int
    last: int


PERIODS = {each.name: each for each in (Period("24h", True, 24), Period("7d", False, 7), Period("30d", False, 30))}
DEFAULT = "7d"
