"""Run-time settings of stats."""

from cms_host.api import Setting

#: The longest period of trends, and the one before it.
LEAST_DAYS, LEAST_HOURS = 60, 48
DAILY_DAYS = Setting(
    "stats.daily_days",
    400,
    "Days for which the views of each post are kept by the day; trends need 60.",
    minimum=LEAST_DAYS,
    maximum=3660,
)
HOURLY_HOURS = Setting(
    "stats.hourly_hours",
    72,
    "Hours for which the views of each post are kept by the hour; trends need 48.",
    minimum=LEAST_HOURS,
    maximum=2160,
)
