"""Dates and times between clients and the database (contract 3): the site's zone outside, UTC microseconds inside."""

import re
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from importlib.resources import files
from zoneinfo import ZoneInfo

#: Microseconds of a day in UTC.
DAY = 86_400_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
#: From 1000 to 9998: every moment between them can be shown in every zone.
_YEAR = r"(?:[1-8][0-9]{3}|9(?:[0-8][0-9]{2}|9(?:[0-8][0-9]|9[0-8])))"
_LEAP_YEAR = r"(?:[1-9][0-9](?:0[48]|[2468][048]|[13579][26])|(?:[2468][048]|[13579][26])00)"
_LONG = r"(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
_SHORT = r"(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
_DAY = rf"{_YEAR}-(?:{_LONG}|{_SHORT}|02-(?:0[1-9]|1[0-9]|2[0-8]))|{_LEAP_YEAR}-02-29"
_HOUR, _MINUTE = "(?:[01][0-9]|2[0-3])", "[0-5][0-9]"
_CLOCK = rf"{_HOUR}:{_MINUTE}(?::{_MINUTE}(?:\.[0-9]{{1,6}})?)?"
#: Exactly what is taken, as the API's document tells it too: `fromisoformat` alone also takes week dates and digits of
#: other scripts.
MOMENT_FORM = rf"({_DAY})(?:[ T]({_CLOCK})( ?(?:Z|[+-]{_HOUR}:?{_MINUTE}))?)?"
_FORM = re.compile(MOMENT_FORM)


@cache
def zone_names() -> frozenset[str]:
    """Every name of the IANA time zone database, on every machine the same."""
    return frozenset(files("tzdata").joinpath("zones").read_text("utf-8").split())


@lru_cache(maxsize=64)
def zone(name: str) -> ZoneInfo:
    """The IANA time zone. :raises ValueError: there is none of that name."""
    # The machine's folder also holds `localtime` and the like, which are another zone elsewhere.
    if name not in zone_names():
        raise ValueError(f"{name!r} is not an IANA time zone")
    return ZoneInfo(name)


def to_micros(moment: datetime) -> int:
    """Microseconds since the epoch of an aware datetime."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def parse_moment(text: str, zone_name: str, *, end_of_day: bool = False) -> int:
    """Microseconds since the epoch of `YYYY-MM-DD HH:MM:SS`, of ISO 8601, or of a bare date.

    Without an offset the text is read in the given zone; in the hour that a clock change skips, with the offset
    that held before it.

    :param end_of_day: read a bare date as its last microsecond instead of its first.
    :raises ValueError: it is none of these.
    """
    found = _FORM.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text!r} is not a date and time")
    day, clock, offset = found.groups()
    moment = datetime.fromisoformat(f"{day}T{clock or '00:00'}{(offset or '').strip()}")
    moment = moment if moment.tzinfo else moment.replace(tzinfo=zone(zone_name))
    if end_of_day and clock is None:
        # The next day on the calendar, for a day on which clocks change has 23 or 25 hours.
        return to_micros(moment + timedelta(days=1)) - 1
    return to_micros(moment)


@lru_cache(maxsize=65_536)
def local(micros: int, zone_name: str) -> str:
    """`YYYY-MM-DD HH:MM:SS` in the zone."""
    return _at(micros).astimezone(zone(zone_name)).isoformat(" ", "seconds")[:19]


@lru_cache(maxsize=65_536)
def iso(micros: int, zone_name: str) -> str:
    """ISO 8601 with microseconds and the zone's offset, so that two edits of one second can be told apart."""
    return _at(micros).astimezone(zone(zone_name)).isoformat("T", "microseconds")


def _at(micros: int) -> datetime:
    return _EPOCH + timedelta(microseconds=micros)
