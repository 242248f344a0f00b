"""What a result depends on beside the code: the machine, the versions, the commit."""

import os
import platform
import sqlite3
import subprocess
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

_ROOT = Path(__file__).parent.parent


def facts(folder: Path) -> dict[str, str]:
    """Return the machine's facts by name; `folder` is where the run keeps its data."""
    load = ", ".join(f"{one:.2f}" for one in os.getloadavg())
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "commit": commit(),
        "processor": f"{_processor()}, {len(os.sched_getaffinity(0))} cores",
        "load average before (1, 5, 15 min)": load,
        "system": f"{platform.system()} {platform.release()}, data on {_filesystem(folder)}",
        "Python": platform.python_version(),
        "aiohttp": version("aiohttp"),
        "SQLite": sqlite3.sqlite_version,
        "wrk": _first_line("wrk", "-v"),
    }


def commit() -> str:
    """Return the short commit of the working tree, with `+` when it was changed since."""
    name = _first_line("git", "-C", str(_ROOT), "rev-parse", "--short", "HEAD")
    changed = _first_line("git", "-C", str(_ROOT), "status", "--porcelain", "--", ".", ":!bench/results")
    return f"{name}+" if changed else name


def _first_line(*command: str) -> str:
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return next(iter(found.stdout.splitlines()), "")


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def _filesystem(folder: Path) -> str:
    """Return the type of the file system that holds `folder`: on a tmpfs an fsync costs nothing."""
    mounts = (line.split() for line in Path("/proc/mounts").read_text().splitlines())
    holding = [(len(at), kind) for _, at, kind, *_ in mounts if folder.resolve().is_relative_to(at)]
    return max(holding, default=(0, "unknown"))[1]
