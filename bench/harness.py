"""The benchmark: start the real service and the floors, load both, say which goals are met.

Exit code 0: every answer was right; 1: one was wrong, or the run could not be done; 2: with --strict, a goal
was missed.
"""

import argparse
import itertools
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench import cluster, machine, report
from bench.client import BenchError
from bench.floor_handlers import FLOORS
from bench.load import CONNECTIONS, THREADS, require_wrk
from bench.measure import Bench, Row, measure_floor, measure_work
from bench.processes import free_port, serving
from bench.service import WORKERS, running_service
from bench.works import PEER, WORKS, Work

DATABASES = ("sqlite", "postgresql")


def measure(options: argparse.Namespace, database: str) -> tuple[list[Row], dict[str, str]]:
    """Measure the chosen works and floors on one database; return the rows and the facts they depend on."""
    works = [WORKS[name] for name in options.work if name in WORKS]
    alone = [name for name in options.work if name in FLOORS and FLOORS[name].database in (None, database)]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cms-bench-")))
        facts = machine.facts(folder) | {"posts": str(options.posts), "load": _load_in_words(options)}
        url = stack.enter_context(cluster.private_cluster()) if database == "postgresql" else None
        facts |= cluster.describe(url) if url else {}
        ports = _start_floors(stack, [*alone, *_needed(works, database)], folder, options.posts, url)
        seeds = itertools.count(1)
        how = (options.seconds, options.runs, ports, seeds, folder, options.patience)
        bench = Bench(database, options.posts, *how)
        rows = [_told(measure_floor(bench, name)) for name in alone]
        if works:
            service_url = cluster.create_database(url, "cms") if url else None
            site = stack.enter_context(running_service(folder, options.posts, service_url))
            rows += [_told(measure_work(bench, site, work)) for work in works]
    return rows, facts


def _needed(works: Sequence[Work], database: str) -> list[str]:
    goals = (work.goals.get(database) for work in works)
    return [goal.against for goal in goals if goal and goal.against != PEER]


def _start_floors(stack: ExitStack, names: Sequence[str], folder: Path, posts: int, url: str | None) -> dict[str, int]:
    """Start each floor once; all stay up, for an idle one costs nothing, until the stack closes."""
    ports: dict[str, int] = {}
    for name in dict.fromkeys(names):
        ports[name] = free_port()
        stack.enter_context(_floor(name, ports[name], folder, posts, url))
    return ports


@contextmanager
def _floor(name: str, port: int, folder: Path, posts: int, url: str | None) -> Iterator[None]:
    options = ("--floor", name, "--port", str(port), "--posts", str(posts), "--workers", str(WORKERS))
    command = [sys.executable, "-m", "bench.floors", *options]
    if FLOORS[name].database == "sqlite":
        command += ["--database", str(folder / f"{name}.sqlite3")]
    elif url is not None and FLOORS[name].database == "postgresql":
        command += ["--database", cluster.create_database(url, f"floor_{name.lower()}")]
    with serving(command, port, WORKERS, folder / f"{name}.log"):
        yield


def _told(row: Row) -> Row:
    """Say on standard error what came out, so that a long run shows that it moves."""
    said = f"WRONG: {row.wrong}" if row.wrong else f"{row.rate:,.0f} req/s, p99 {row.p99_ms:.1f} ms"
    print(f"{row.name}: {said}", file=sys.stderr, flush=True)
    return row


def _load_in_words(options: argparse.Namespace) -> str:
    wrk = f"wrk, {CONNECTIONS} connections, {THREADS} threads, {options.seconds} s, median of {options.runs}"
    return f"{wrk}; {WORKERS} workers, the service and the floors alike"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.harness", description=__doc__)
    parser.add_argument("--posts", type=int, default=1000, help="posts to fill with (default 1000)")
    parser.add_argument("--database", choices=(*DATABASES, "both"), default="both")
    usual = [work.name for work in WORKS.values() if work.by_default]
    known = ", ".join([*WORKS, *FLOORS])
    parser.add_argument("--work", type=_names, default=usual, help=f"works, or floors alone, by comma: {known}")
    parser.add_argument("--seconds", type=int, default=8, help="length of one run (default 8)")
    parser.add_argument("--runs", type=int, default=3, help="runs of each: the median counts (default 3)")
    parser.add_argument(
        "--patience",
        type=float,
        default=0,
        help="seconds to wait before each run until the machine is quiet, at most (default 0)",
    )
    parser.add_argument("--strict", action="store_true", help="exit with 2 when a goal is missed")
    parser.add_argument("--results", type=Path, default=report.RESULTS, help="where results are kept")
    return parser.parse_args()


def _names(text: str) -> list[str]:
    names = text.split(",")
    if unknown := [name for name in names if name not in WORKS and name not in FLOORS]:
        known = ", ".join([*WORKS, *FLOORS])
        raise argparse.ArgumentTypeError(f"unknown: {', '.join(unknown)}; known: {known}")
    return names


def run(options: argparse.Namespace) -> int:
    """Measure, print and keep the results; return the exit code."""
    require_wrk()
    rows: list[Row] = []
    for database in DATABASES if options.database == "both" else (options.database,):
        found, facts = measure(options, database)
        rows += found
        paths = report.write(found, facts, database, options.results)
        print(f"\n{database}, {options.posts:,} posts, commit {facts['commit']}\n\n{report.table(found)}")
        print("\n".join(["", *report.remarks(found), f"written: {', '.join(map(str, paths))}"]), flush=True)
    if any(row.wrong for row in rows):
        return 1
    return 2 if options.strict and any(row.missed for row in rows) else 0


def main() -> None:
    """Run the command line; SIGTERM ends it as Ctrl-C does, with every server stopped."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        raise SystemExit(run(_arguments()))
    except BenchError as error:
        print(f"bench: {error}", file=sys.stderr)
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
