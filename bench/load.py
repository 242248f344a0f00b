"""One run of wrk: 16 connections (4 for a calm one) in 2 threads, every answer checked by the script's `response` hook.

The hook costs 2 to 3 % of a floor's rate; floors and works bear it alike.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench import quiet
from bench.client import BenchError, WrongAnswerError

SCRIPTS = Path(__file__).parent / "wrk"
CONNECTIONS = 16
#: What keeps two workers busy and lets next to nobody wait in line.
CALM_CONNECTIONS = 4
THREADS = 2


@dataclass(frozen=True)
class Load:
    """What one run measured: answers per second, latency (median and 99th percentile), bytes per answer.

    wrk corrects its latencies for coordinated omission. The rate of an `exhausted` run, whose lines ran out,
    means nothing. `others` is the share of the machine that other programs used just before or after, whichever
    is more.
    """

    requests: int
    rate: float
    p50_ms: float
    p99_ms: float
    answer_bytes: float
    exhausted: bool
    others: float = 0.0


@dataclass(frozen=True)
class Order:
    """What a run shall do: the script, the address, and what the script is told."""

    script: str
    port: int
    key: str
    lines: Sequence[str]
    status: int
    marks: tuple[str, ...]
    seconds: int
    seed: int
    patience: float = 0.0  #: seconds to wait for other programs to rest, at most
    connections: int = CONNECTIONS


def require_wrk() -> str:
    """Return wrk's path; raise BenchError with the way to get it when it is not installed."""
    found = shutil.which("wrk")
    if found is None:
        raise BenchError("wrk is not installed: `apt-get install wrk` (Debian, Ubuntu) or `brew install wrk`")
    return found


def run(order: Order, folder: Path) -> Load:
    """Run wrk once; raise WrongAnswerError for one wrong or broken answer. `folder` gets the run's lines."""
    lines = folder / f"lines-{order.seed}"
    lines.write_text("\n".join(order.lines) + "\n")
    options = (f"-c{order.connections}", f"-t{THREADS}", f"-d{order.seconds}s", "--timeout", "10s")
    command = [require_wrk(), *options, "-s", str(SCRIPTS / order.script), f"http://127.0.0.1:{order.port}"]
    environment = _environment(order, lines)
    before = quiet.wait(order.patience)
    found = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    lines.unlink()
    return replace(read(found.stdout, found.stderr), others=max(before, quiet.others()))


def _environment(order: Order, lines: Path) -> dict[str, str]:
    return {
        **os.environ,
        "BENCH_LUA": str(SCRIPTS),
        "BENCH_KEY": order.key,
        "BENCH_LINES": str(lines),
        "BENCH_STATUS": str(order.status),
        "BENCH_MARKS": "\n".join(('"success":true', *order.marks)),
        "BENCH_SEED": str(order.seed),
    }


def read(output: str, errors: str = "") -> Load:
    """Return what the scripts' `done` printed; raise BenchError for a run that proves nothing."""
    found = re.search(r"^BENCH (\{.*\})$", output, re.MULTILINE)
    if found is None:
        raise BenchError(f"wrk failed: {(errors or output).strip()[:500]}")
    numbers: dict[str, int] = json.loads(found[1])
    _require_right(numbers, output)
    requests = numbers["requests"]
    return Load(
        requests=requests,
        rate=requests / (numbers["duration_us"] / 1e6),
        p50_ms=numbers["p50_us"] / 1000,
        p99_ms=numbers["p99_us"] / 1000,
        answer_bytes=numbers["bytes"] / requests,
        exhausted=numbers["exhausted"] > 0,
    )


def _require_right(numbers: dict[str, int], output: str) -> None:
    first = re.search(r"^BENCH_WRONG (.*)$", output, re.MULTILINE)
    if numbers["wrong"]:
        many = f"{numbers['wrong']} of {numbers['checked']} answers were wrong"
        raise WrongAnswerError(f"{many}; the first: {first and first[1]}")
    if numbers["broken"]:
        raise WrongAnswerError(f"{numbers['broken']} connections or answers broke off or took over 10 s")
    if numbers["checked"] != numbers["requests"] or not numbers["requests"]:
        raise WrongAnswerError(f"{numbers['requests']} answers came, {numbers['checked']} were checked")
