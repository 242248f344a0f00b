"""The host's only clock, so that tests can drive time."""

import time
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> int:
        """Microseconds since the epoch, in UTC."""


class SystemClock:
    """The machine's time."""

    def now(self) -> int:
        return time.time_ns() // 1000
