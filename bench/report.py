"""The results as a table for a terminal, and as the Markdown and JSON that are kept in `bench/results/`."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from bench.measure import Row
from bench.quiet import QUIET
from bench.works import PEER

RESULTS = Path(__file__).parent / "results"
_HEAD = (
    "",
    "work",
    "req/s",
    "p99 ms",
    "limit",
    "p99 at 4",
    "against",
    "its req/s",
    "ratio",
    "goal",
    "met",
    "best peer, x ours",
)
_NUMBERS = frozenset({"req/s", "p99 ms", "limit", "p99 at 4", "its req/s", "ratio", "goal"})
_NOTE = (
    "req/s and p99 are medians of the runs; the limit of p99 is that of docs/decisions/0014; a ratio with a floor is"
    " the median over neighbouring runs. Peers' figures are those of QUALITY.md, from another run: 1,000 posts,"
    " 2 cores."
)


def table(rows: Sequence[Row]) -> str:
    """Return an aligned table in plain text."""
    columns = [(max(map(len, column)), column[0] in _NUMBERS, column) for column in _columns(rows)]
    ruled = [(width, right, (column[0], "-" * width, *column[1:])) for width, right, column in columns]
    cells = [[cell.rjust(width) if right else cell.ljust(width) for cell in column] for width, right, column in ruled]
    return "\n".join("  ".join(line).rstrip() for line in zip(*cells, strict=True))


def write(rows: Sequence[Row], facts: Mapping[str, str], database: str, folder: Path = RESULTS) -> list[Path]:
    """Write `<date>-<database>.md` and `.json` into `folder` and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{datetime.now(UTC):%Y-%m-%d}-{database}"
    text, data = folder / f"{stem}.md", folder / f"{stem}.json"
    text.write_text(markdown(rows, facts, database))
    data.write_text(json.dumps({"facts": facts, "rows": [_record(row) for row in rows]}, indent=1) + "\n")
    return [text, data]


def markdown(rows: Sequence[Row], facts: Mapping[str, str], database: str) -> str:
    """Return the page of a result: the table, what was missed, and the facts that it depends on."""
    columns = [(head, "---:" if head in _NUMBERS else "---", *cells) for head, *cells in _columns(rows)]
    parts = [
        f"# Benchmark on {database}, {facts['date']}",
        "\n".join(f"| {' | '.join(line)} |" for line in zip(*columns, strict=True)),
        _NOTE,
        *_bullets(remarks(rows)),
        "\n".join(f"- {name}: {value}" for name, value in facts.items()),
    ]
    return "\n\n".join(parts) + "\n"


def remarks(rows: Sequence[Row]) -> list[str]:
    """Return a line for every wrong work, every goal missed, and every row that other programs disturbed."""
    found = [f"{row.name} WRONG: {row.wrong}" for row in rows if row.wrong]
    found += [f"{row.name} missed: {'; '.join(row.missed)}" for row in rows if row.missed]
    disturbed = [f"{row.name} {row.others:.0%}" for row in rows if row.others > QUIET]
    if disturbed:
        found.append(f"disturbed: other programs used up to this share of the machine: {', '.join(disturbed)}")
    return found


def _bullets(lines: Sequence[str]) -> list[str]:
    return ["\n".join(f"- {line}" for line in lines)] if lines else []


def _columns(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    """Return the columns of the table, head first; those that no row fills are left out."""
    columns = zip(_HEAD, *(_cells(row) for row in rows), strict=True)
    return [column for column in columns if any(column[1:])]


def _cells(row: Row) -> tuple[str, ...]:
    if row.wrong is not None:
        return (row.name, row.title, "WRONG", *([""] * 9))
    measured = (row.name, row.title, f"{row.rate:,.0f}", f"{row.p99_ms:.1f}")
    if row.work is None:
        return (*measured, *([""] * 8))
    measured = (*measured, _number(row.p99_limit_ms), _number(row.calm_p99_ms))
    peer = f"{row.work.peer.name} {row.work.peer.rate:g}, {row.rate / row.work.peer.rate:.1f}x"
    if row.goal is None or row.ratio is None or row.reference is None:
        return (*measured, "", "", "", "", "no" if row.missed else "", peer)
    against = row.work.peer.name if row.goal.against == PEER else row.goal.against
    met = "no" if row.missed else "yes"
    goal = (f"{row.reference:,.0f}", f"{row.ratio:.2f}", f"{row.goal.ratio:.2f}", met)
    return (*measured, against, *goal, peer)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


def _record(row: Row) -> dict[str, object]:
    measured = {} if row.wrong else {"rate": row.rate, "p99_ms": row.p99_ms}
    return {
        "name": row.name,
        "title": row.title,
        **measured,
        "against": row.goal.against if row.goal else None,
        "goal": row.goal.ratio if row.goal else None,
        "reference": None if row.wrong else row.reference,
        "ratio": None if row.wrong else row.ratio,
        "missed": row.missed,
        "wrong": row.wrong,
        "runs": [asdict(load) for load in row.loads],
        "floor_runs": [asdict(load) for load in row.floor_loads],
        "calm_runs": [asdict(load) for load in row.calm_loads],
    }
