"""What the gate said: the last report of each post, and how often each rule said no (contract 4 and 10)."""

from typing import Any, Literal, NamedTuple, TypedDict

import orjson
from sqlalchemy import Integer, Text, bindparam, cast, delete, func, literal_column, select, true
from sqlalchemy.dialects.postgresql import JSON

from cms_host.api import DAY, Id, Job, Query, Reader, Report, Transaction, UnitOfWork, insert
from cms_posts.tables import gate_counts, gate_reports

#: Whom a refusal turned away: a request, or the scheduler.
Refusal = Literal["refusal", "schedule"]
#: Days for which counts are kept.
KEPT_DAYS = 90
#: Refusals of the scheduler are counted once each, whatever the number of rules that refused.
_NO_RULE = ""


class KeptReport(NamedTuple):
    """What the gate last said of a post. The moment is in microseconds since the epoch."""

    ran_at: int
    #: What asked it: `create`, `update`, `publish`, `review`, `restore`, `scheduler`, ...
    trigger: str
    passes: bool
    #: Findings with their `detail`.
    blocks: list[dict[str, Any]]
    warnings: list[dict[str, Any]]


class GateFigures(TypedDict):
    """How often the gate said no. `refusals` and `shadow` are by code, `schedule_refusals` counts posts."""

    refusals: dict[str, int]
    shadow: dict[str, int]
    schedule_refusals: int


_new = insert(gate_reports).values({each.key: bindparam(each.key) for each in gate_reports.c})
_KEEP = Query(
    _new.on_conflict_do_update(
        index_elements=["post_id"], set_={each.key: _new.excluded[each.key] for each in gate_reports.c[1:]}
    )
)
_FIND = Query(select(*gate_reports.c[1:]).where(gate_reports.c.post_id == bindparam("id")), KeptReport)

_codes = bindparam("codes", type_=Text)
_rows = {
    "sqlite": func.json_each(_codes).table_valued("key", "value"),
    "postgresql": func.json_each_text(cast(_codes, JSON)).table_valued("key", "value"),
}
_added = {
    dialect: insert(gate_counts).from_select(
        ["day", "code", "kind", "n"],
        # SQLite takes ON CONFLICT for a join without a WHERE; in one order, two runs never wait for each other.
        select(bindparam("day", type_=Integer), rows.c.key, rows.c.value, literal_column("1"))
        .where(true())
        .order_by(rows.c.key),
    )
    for dialect, rows in _rows.items()
}
_COUNT = Query(
    {
        dialect: added.on_conflict_do_update(
            index_elements=["day", "code", "kind"], set_={"n": gate_counts.c.n + added.excluded.n}
        )
        for dialect, added in _added.items()
    }
)
_FIGURES = Query(
    select(gate_counts.c.kind, gate_counts.c.code, cast(func.sum(gate_counts.c.n), Id).label("n"))
    .where(gate_counts.c.day >= bindparam("day"))
    .group_by(gate_counts.c.kind, gate_counts.c.code)
    .order_by(gate_counts.c.kind, gate_counts.c.code),
    scans=True,
)
_FORGET = Query(delete(gate_counts).where(gate_counts.c.day < bindparam("first")))


async def keep_report(tx: Transaction, post_id: int, trigger: str, report: Report, now: int) -> None:
    """Keep what the gate said of a stored post, in place of what it said before; nothing of the post changes."""
    await tx.send(
        _KEEP,
        post_id=post_id,
        ran_at=now,
        trigger=trigger,
        passes=report.passes,
        blocks=[verdict.detailed() for verdict in report.blocks],
        warnings=[verdict.detailed() for verdict in report.warnings],
    )


async def find_report(db: Reader, post_id: int) -> KeptReport | None:
    """What the gate last said of a post; None where it never decided anything."""
    return await db.first(_FIND, id=post_id)


async def count_refusal(tx: Transaction, report: Report, kind: Refusal, now: int) -> None:
    """Count every rule that refused, and every one that would have but for its mode `shadow`: one statement for all.

    A refusal of the scheduler counts for its rules as any other, and once more as one of the scheduler's.
    """
    counted: dict[str, str] = dict.fromkeys(report.shadowed, "shadow")
    counted |= {verdict.code: "refusal" for verdict in report.blocks}
    if kind == "schedule" and not report.passes:
        counted[_NO_RULE] = kind
    if counted:
        await tx.send(_COUNT, codes=orjson.dumps(counted).decode(), day=now // DAY)


async def gate_figures(db: Reader, since: int) -> GateFigures:
    """What was counted from the day (UTC) of this moment on, which is in microseconds since the epoch."""
    figures = GateFigures(refusals={}, shadow={}, schedule_refusals=0)
    for kind, code, number in await db.all(_FIGURES, day=since // DAY):
        if kind == "schedule":
            figures["schedule_refusals"] += number
        else:
            figures["shadow" if kind == "shadow" else "refusals"][code] = number
    return figures


async def _forget_counts(unit: UnitOfWork) -> None:
    async with unit.write() as write:
        await write.tx.execute(_FORGET, first=unit.host.clock.now() // DAY - KEPT_DAYS)


#: Deletes what was counted more than `KEPT_DAYS` days ago.
FORGET_COUNTS = Job("posts.gate-counts", every=86_400, run=_forget_counts)
