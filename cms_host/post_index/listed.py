"""A table with one row for each published or scheduled post, kept in step with posts inside their transactions."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, Table, and_, bindparam, delete, or_, select, update

from cms_host.db import Query, Reader, Transaction, insert
from cms_host.gate import Candidate
from cms_host.observing import PostChange, PostObserver

#: Greater than any id and any moment.
LAST = (1 << 63) - 1
Row = Mapping[str, Any]
#: Where a walk has come to.
Cursor = tuple[int, ...]


def rivals(entries: Table) -> ColumnElement[bool]:
    """Whom a candidate is compared with; takes the parameters of `rival_values` (contract 4, Gate rules).

    Published posts and scheduled ones, but for a scheduled candidate only those that are due before it, and among
    those due with it only those with lower ids: of two alike the later one is refused, and not both.
    """
    post_id, due_at = entries.c.post_id, entries.c.due_at
    candidate: BindParameter[int] = bindparam("candidate_id")
    moment: BindParameter[int] = bindparam("candidate_due_at")
    with_it = and_(due_at == moment, post_id < candidate)
    return and_(post_id != candidate, or_(due_at.is_(None), due_at < moment, with_it))


def rival_values(candidate: Candidate) -> dict[str, int]:
    """The parameters of `rivals`. A post that is not stored yet will have the highest of all ids."""
    return {
        "candidate_id": LAST if candidate.post_id is None else candidate.post_id,
        "candidate_due_at": LAST if candidate.due_at is None else candidate.due_at,
    }


class ListedIndex(PostObserver, ABC):
    """Keeps a table whose columns are `post_id` (its key), `due_at`, and what `describe` gives for a post."""

    def __init__(self, entries: Table) -> None:
        """:param entries: `due_at` is None for what is published, else in microseconds since the epoch."""
        self.entries = entries
        row = insert(entries).values({each.key: bindparam(each.key) for each in entries.c})
        described = {each.key: row.excluded[each.key] for each in entries.c if each.key != "post_id"}
        self._put = Query(row.on_conflict_do_update(index_elements=["post_id"], set_=described))
        self._postpone = Query(
            update(entries).where(entries.c.post_id == bindparam("which")).values(due_at=bindparam("new_due_at"))
        )
        self._drop = Query(delete(entries).where(entries.c.post_id == bindparam("which")).returning(*entries.c))
        span = (entries.c.post_id > bindparam("after"), entries.c.post_id <= bindparam("last"))
        self._span = Query(select(entries).where(*span).order_by(entries.c.post_id))

    @abstractmethod
    async def describe(self, change: PostChange) -> Row | None:
        """The columns beside `post_id` and `due_at`; None for a post that has nothing to compare."""

    @abstractmethod
    def touches(self, change: PostChange) -> bool:
        """Whether the change may be one of what is described."""

    async def saved(self, change: PostChange, tx: Transaction) -> None:
        if change.is_listed:
            if change.was_listed and not self.touches(change) and await self._moved(change, tx):
                return
            await self.put(change, tx)
        elif change.was_listed:
            await self.drop(change.post_id, tx)

    async def saved_many(self, changes: Sequence[PostChange], tx: Transaction) -> None:
        """As `saved`, for posts that are new."""
        rows = [row for change in changes if change.is_listed and (row := await self.row(change)) is not None]
        if rows:
            await self.add_many(rows, tx)

    async def row(self, change: PostChange) -> dict[str, Any] | None:
        """The whole row of a listed post."""
        described = await self.describe(change)
        return None if described is None else {"post_id": change.post_id, "due_at": change.due_at, **described}

    async def put(self, change: PostChange, tx: Transaction) -> None:
        """Write the row of a listed post, whether there is one or not."""
        if change.was_listed:
            await self.drop(change.post_id, tx)
        row = await self.row(change)
        if row is not None:
            await self.add(row, tx)

    async def add(self, row: Row, tx: Transaction) -> None:
        await tx.send(self._put, **row)

    async def add_many(self, rows: Sequence[Row], tx: Transaction) -> None:
        await tx.execute_many(self._put, rows)

    async def drop(self, post_id: int, tx: Transaction) -> None:
        """Take a post out; it may be out already."""
        await tx.send(self._drop, which=post_id)

    async def span(self, db: Reader, after: int, last: int) -> dict[int, Row]:
        """The rows of the posts `after < id <= last`, by id."""
        rows = [self.named(row) for row in await db.all(self._span, after=after, last=last)]
        return {row["post_id"]: row for row in rows}

    def named(self, row: Sequence[Any]) -> Row:
        """A row of the table by the names of its columns; what follows them is left out."""
        return dict(zip(self.entries.c.keys(), row, strict=False))

    async def incomplete(self, db: Reader, rows: Mapping[int, Row]) -> set[int]:
        """The ids of those of these rows that lack what belongs to them in other tables."""
        return set()

    async def tidy(self, tx: Transaction, after: Cursor) -> Cursor | None:
        """Remove what belongs to no row, a stretch of other tables at a time.

        :param after: () at first, then what the last call gave. Gives None at the end.
        """
        return None

    async def _moved(self, change: PostChange, tx: Transaction) -> bool:
        """Note that the same post is due at another time, or published; says whether it is here at all."""
        return await tx.execute(self._postpone, which=change.post_id, new_due_at=change.due_at) > 0
