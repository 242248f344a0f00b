"""Times small acts by turns, so that whatever slows the machine for a while slows all of them."""

import statistics
import time
from collections.abc import Awaitable, Callable, Mapping

Act = Callable[[], Awaitable[object]]


async def compare(acts: Mapping[str, Act], turns: int = 60, repeat: int = 50) -> None:
    """Print the median time of each act, and how many times that is the first one's."""
    times: dict[str, list[float]] = {name: [] for name in acts}
    for _ in range(turns):
        for name, act in acts.items():
            begin = time.perf_counter()
            for _ in range(repeat):
                await act()
            times[name].append((time.perf_counter() - begin) / repeat)
    medians = {name: statistics.median(each) * 1e6 for name, each in times.items()}
    first = next(iter(medians.values()))
    for name, median in medians.items():
        print(f"{name:<58} {median:9.1f} us  x{median / first:.2f}")
