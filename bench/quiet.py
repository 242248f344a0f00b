"""How much of the machine other programs use, sampled while nothing of ours works: what they take, a run lacks."""

import time
from pathlib import Path

#: Seconds that one sample takes.
_SAMPLE = 0.3
#: A share of the machine that other programs may use and the machine still counts as quiet.
QUIET = 0.10


def others() -> float:
    """Return the share of all processor time, 0 to 1, that was used by anything during one sample."""
    busy, total = _ticks()
    time.sleep(_SAMPLE)
    busy_then, total_then = _ticks()
    return (busy_then - busy) / max(total_then - total, 1)


def wait(patience: float) -> float:
    """Wait for at most `patience` seconds until the machine is quiet, and return the last sample."""
    end = time.monotonic() + patience
    share = others()
    while share > QUIET and time.monotonic() < end:
        share = others()
    return share


def _ticks() -> tuple[int, int]:
    """Return the processor ticks spent on work, and all of them, since the machine started (proc(5), /proc/stat)."""
    user, nice, system, idle, waiting, irq, softirq, steal, *_ = map(
        int, Path("/proc/stat").read_text().splitlines()[0].split()[1:]
    )
    busy = user + nice + system + irq + softirq + steal
    return busy, busy + idle + waiting
