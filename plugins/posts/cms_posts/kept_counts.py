"""Numbers that every write of a post keeps in step, so that no list has to count."""

import secrets
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Table, bindparam

from cms_host.api import Query, Transaction, insert

#: Rows over which PostgreSQL's writers spread one number, so that they need not wait for each other's commits.
SLOTS = 8
#: Rows of one statement: what a post no longer counts as, and what it counts as now.
_PAIR = 2


class KeptCounts:
    """A table whose primary key says what is counted and ends with `slot`, and whose other column is the number `n`."""

    def __init__(self, table: Table) -> None:
        self._names = [column.key for column in table.primary_key.columns] + ["n"]
        self._upserts = {rows: self._upsert(table, rows) for rows in (1, _PAIR)}

    async def add(self, tx: Transaction, changes: Mapping[tuple[Any, ...], int]) -> None:
        """Add to numbers, which are named by the primary key's columns without the slot.

        Two writers that change the same numbers in different orders would wait for each other: hence the one order.
        """
        # SQLite has one writer, hence one row for each number.
        slot = secrets.randbelow(SLOTS) if tx.dialect == "postgresql" else 0
        rows = [(*key, slot, n) for key, n in sorted(changes.items()) if n]
        for start in range(0, len(rows), _PAIR):
            some = rows[start : start + _PAIR]
            values: dict[str, Any] = {}
            for row, each in enumerate(some):
                values |= {f"{name}_{row}": value for name, value in zip(self._names, each, strict=True)}
            await tx.send(self._upserts[len(some)], **values)

    def _upsert(self, table: Table, rows: int) -> Query[Any]:
        new = insert(table).values([{name: bindparam(f"{name}_{row}") for name in self._names} for row in range(rows)])
        return Query(
            new.on_conflict_do_update(
                index_elements=list(table.primary_key.columns), set_={"n": table.c.n + new.excluded.n}
            )
        )
