"""Which day a view belongs to, and for how long it is kept."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cms_host.testing import FakeClock, MakeSite, Site, dump
from cms_stats.api import ViewCounters, day_of, hour_of
from cms_stats.calendar import date_of
from cms_stats.records import views_record
from cms_stats.store import DayViews

from .conftest import FLUSH, FORGET, SQLITE_ALONE, Counters, shown, view

DAY, HOUR = 86_400, 3_600
ZONES = ("UTC", "Europe/Istanbul", "Europe/Berlin", "Asia/Kathmandu", "Pacific/Kiritimati", "America/St_Johns")


def micros(text: str) -> int:
    return round(datetime.fromisoformat(text).timestamp()) * 1_000_000


@settings(deadline=None)
@given(st.datetimes(datetime(1970, 1, 3), datetime(2100, 1, 1)), st.sampled_from(ZONES))  # noqa: DTZ001 - hypothesis takes bounds without a zone.
def test_day_is_that_of_the_zone_s_calendar(naive: datetime, zone: str) -> None:
    moment = naive.replace(microsecond=0, tzinfo=UTC)
    day = day_of(round(moment.timestamp()) * 1_000_000, zone)

    assert date_of(day) == moment.astimezone(ZoneInfo(zone)).date().isoformat()


def test_hours_do_not_stop_when_clocks_are_put_back() -> None:
    first, second = micros("2026-10-25T02:30:00+02:00"), micros("2026-10-25T02:30:00+01:00")

    assert hour_of(second) - hour_of(first) == 1
    assert day_of(first, "Europe/Berlin") == day_of(second, "Europe/Berlin")


@SQLITE_ALONE
async def test_day_on_which_clocks_are_put_back_has_twenty_five_hours(make_site: MakeSite, clock: FakeClock) -> None:
    site = await make_site(enabled=["users", "stats"])
    site.provide(ViewCounters, Counters(1))
    await site.set(timezone="Europe/Berlin")
    clock.advance((micros("2026-10-24T23:30:00+02:00") - clock.now()) / 1e6)
    for _ in range(27):
        await view(site, {1: 1})
        clock.advance(HOUR)
    clock.advance(-HOUR)
    await site.run_job(FLUSH)

    assert await shown(site) == {
        "total": 27, "today": 1, "last_7_days": 27, "last_30_days": 27,
        "daily": {"2026-10-24": 1, "2026-10-25": 25, "2026-10-26": 1},
    }  # fmt: skip


@SQLITE_ALONE
async def test_view_belongs_to_the_day_on_which_it_was_sent(site: Site, clock: FakeClock) -> None:
    await site.set(timezone="Europe/Istanbul")
    clock.advance(8.75 * HOUR)
    await view(site, {1: 1})
    clock.advance(0.5 * HOUR)
    await view(site, {1: 10})
    await site.run_job(FLUSH)

    assert (await shown(site))["daily"] == {"2026-01-15": 1, "2026-01-16": 10}


@settings(deadline=None)
@given(st.dictionaries(st.integers(0, 80), st.integers(1, 1000)), st.integers(0, 80))
def test_periods_are_sums_of_days(by_day: dict[int, int], today: int) -> None:
    record = views_record([DayViews(*each) for each in by_day.items()], today)

    assert record["total"] == sum(by_day.values())
    for name, days in (("today", 1), ("last_7_days", 7), ("last_30_days", 30)):
        assert record[name] == sum(n for day, n in by_day.items() if today - days < day <= today), name
    first = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=today - 29)
    assert record["daily"] == [
        {"date": f"{first + timedelta(days=place):%Y-%m-%d}", "views": by_day.get(today - 29 + place, 0)}
        for place in range(30)
    ]


async def test_old_views_of_posts_are_forgotten_and_their_sum_is_not(
    site: Site, clock: FakeClock, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cms_stats.store.BATCH", 2)
    await site.set(**{"stats.daily_days": 60, "stats.hourly_hours": 48})
    await view(site, {1: 1, 2: 1, 3: 1})
    await site.run_job(FLUSH)
    today = day_of(clock.now(), "UTC")
    clock.advance(47 * HOUR)
    await view(site, {1: 5})
    await site.run_job(FLUSH)
    await site.run_job(FORGET)
    assert len(dump(database_url)["view_hours"]) == 4
    clock.advance(HOUR)
    await site.run_job(FORGET)
    assert [row[1:] for row in dump(database_url)["view_hours"]] == [(1, 5)]
    assert len(dump(database_url)["view_days"]) == 4

    clock.advance(58 * DAY)
    await site.run_job(FORGET)
    tables = dump(database_url)
    assert (tables["view_days"], tables["view_hours"], tables["view_batches"]) == ([(today + 2, 1, 5)], [], [])
    assert (await shown(site))["total"] == 8


@pytest.mark.parametrize(("key", "value"), [("stats.daily_days", 59), ("stats.hourly_hours", 47)])
@SQLITE_ALONE
async def test_views_are_kept_for_as_long_as_trends_need_them(make_site: MakeSite, key: str, value: int) -> None:
    site = await make_site(enabled=["users", "stats", "settings"])

    assert (await (await site.client("admin")).put(f"/settings/{key}", json={"value": value})).status == 422
