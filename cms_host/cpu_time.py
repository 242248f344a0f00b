"""How much of a processor another process has had."""

import os
from pathlib import Path


def cpu_seconds(pid: int) -> float | None:
    """Seconds that a process has run so far, exact to a hundredth; None where the system does not tell (no /proc)."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("ascii", "replace")
    except OSError:
        return None
    # The program's name, in brackets, may hold anything. Fields 14 and 15 are ticks: its own, and the kernel's for it.
    fields = stat.rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
