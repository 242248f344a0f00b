"""Kept numbers of rows: the law that they equal the rows' number, and counting anew."""

from typing import Any

from sqlalchemy import (
    ClauseElement,
    Executable,
    Select,
    Table,
    bindparam,
    cast,
    delete,
    func,
    literal_column,
    select,
    union_all,
)
from sqlalchemy.ext.compiler import compiles

from cms_host.api import Id, Query, Transaction, insert
from cms_posts.indexes.laws import ALL, Law, law


class _Hold(Executable, ClauseElement):
    """PostgreSQL's LOCK TABLE, for which Core has no word: others may read the table and not write to it."""

    def __init__(self, table: Table) -> None:
        self.table = table


@compiles(_Hold)
def _hold(statement: _Hold, compiler: Any, **options: Any) -> str:
    return f"LOCK TABLE {compiler.preparer.format_table(statement.table)} IN SHARE ROW EXCLUSIVE MODE"


class Counted:
    """Rows of one table that are counted by another, by all columns of its key but the slot."""

    def __init__(self, rows: Table, kept: Table) -> None:
        names = [each.key for each in kept.primary_key.columns if each.key != "slot"]
        self._names = names
        self.law: Law = law(_miscounted(rows, kept, names), self._tell)
        self._kept = kept.name
        self._hold = Query({"postgresql": _Hold(kept)})
        self._forget = Query(delete(kept).where(*(kept.c[name] == bindparam(f"old_{name}") for name in names)))
        row = {name: bindparam(name) for name in names}
        self._keep = Query(insert(kept).values(**row, slot=0, n=bindparam("n")))

    async def count_anew(self, tx: Transaction) -> None:
        """Put right whatever is wrong; the first that its transaction does.

        Whoever writes touches rows and numbers in one transaction. On PostgreSQL this waits for those that have
        touched the numbers, so their rows are seen; the others' are not yet, and what they add comes on top.
        """
        if tx.dialect == "postgresql":
            await tx.execute(self._hold)
        for *key, _, found in await tx.all(self.law.broken_by, most=ALL):
            values = dict(zip(self._names, key, strict=True))
            await tx.execute(self._forget, **{f"old_{name}": value for name, value in values.items()})
            if found:
                await tx.execute(self._keep, **values, n=found)

    def _tell(self, *row: Any) -> str:
        *key, kept, found = row
        of = ", ".join(f"{name} {value}" for name, value in zip(self._names, key, strict=True))
        return f"{self._kept} has {kept} for {of}, and there are {found}"


def _miscounted(rows: Table, kept: Table, names: list[str]) -> Select[Any]:
    nought = literal_column("0", Id)
    both = union_all(
        select(*(kept.c[name] for name in names), kept.c.n.label("kept"), nought.label("found")),
        select(*(rows.c[name] for name in names), nought.label("kept"), func.count().label("found")).group_by(
            *(rows.c[name] for name in names)
        ),
    ).subquery("numbers")
    sums = [cast(func.sum(both.c[name]), Id).label(name) for name in ("kept", "found")]
    differing = func.sum(both.c.kept) != func.sum(both.c.found)
    by = [both.c[name] for name in names]
    return select(*by, *sums).group_by(*by).having(differing)
