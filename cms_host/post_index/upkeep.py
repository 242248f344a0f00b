"""Whether an index agrees with the posts, and making it anew while the site serves."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

from cms_host.db import Reader, Transaction
from cms_host.observing import PostChange
from cms_host.post_index.listed import LAST, Cursor, ListedIndex, Row
from cms_host.services import UnitOfWork

#: Posts of one transaction: what is rebuilt holds up writers of the same posts (on SQLite: all writers) that long.
BATCH = 100
#: A rebuild holds many posts at a time, and not in one order: two would wait for each other. Writers hold just one.
REBUILD_LOCK = "post_index.rebuild"
#: Most disagreements that are told one by one.
TOLD = 20


class ListedPosts(Protocol):
    """Reads the published and scheduled posts; `cms_posts.api` has one."""

    async def walk(self, db: Reader, after_id: int, limit: int, *, hold: bool = False) -> list[PostChange]:
        """The next of them, by id, as if each had just been saved anew.

        :param hold: `db` is a transaction, and nobody may change these posts until it ends.
        """

    async def among(self, tx: Transaction, ids: Collection[int]) -> set[int]:
        """Those of the posts with these ids that are listed; nobody changes any of them until `tx` ends."""

    async def count(self, db: Reader) -> int:
        """How many there are."""


class IndexUpkeep:
    """Looks after one :class:`ListedIndex` for `cms-host check` and `cms-host reindex`."""

    def __init__(self, name: str, index: ListedIndex, posts: ListedPosts) -> None:
        """:param name: what operators call the index: the name of its plugin."""
        self.name = name
        self._index = index
        self._posts = posts

    async def verify(self, db: Reader) -> Sequence[str]:
        """What disagrees with the posts, in words; empty when nothing does."""
        faults: list[str] = []
        after = 0
        while after < LAST:
            batch, last = await self._next(db, after)
            found = await self._compare(db, after, last, batch)
            if found:
                # What was written between the two reads is no fault: it is gone at a second look.
                batch, _ = await self._next(db, after)
                found = [each for each in found if each in await self._compare(db, after, last, batch)]
            faults += found
            after = last
        if len(faults) > TOLD:
            return [*faults[:TOLD], f"and {len(faults) - TOLD} more"]
        return faults

    async def rebuild(self, unit: UnitOfWork, progress: Callable[[int, int], None]) -> None:
        """Write every row anew and remove what belongs to no listed post, in transactions of `BATCH` posts.

        The rules go on to find what they found before: a post leaves the index only to come back in the same
        transaction.

        :param progress: told how many posts are done, and of how many.
        """
        total, done, after = await self._posts.count(unit.db), 0, 0
        while after < LAST:
            async with unit.write(REBUILD_LOCK) as inside:
                batch, last = await self._next(inside.tx, after, hold=True)
                await self._replace(inside.tx, after, last, batch)
            done, after = done + len(batch), last
            progress(done, max(done, total))
        cursor: Cursor | None = ()
        while cursor is not None:
            async with unit.write(REBUILD_LOCK) as inside:
                cursor = await self._index.tidy(inside.tx, cursor)

    async def _next(self, db: Reader, after: int, *, hold: bool = False) -> tuple[list[PostChange], int]:
        """The next posts, and the id up to which they are all that there are."""
        batch = await self._posts.walk(db, after, BATCH, hold=hold)
        return batch, batch[-1].post_id if len(batch) == BATCH else LAST

    async def _compare(self, db: Reader, after: int, last: int, batch: Sequence[PostChange]) -> list[str]:
        stored = await self._index.span(db, after, last)
        wanted = {change.post_id: await self._index.row(change) for change in batch if change.post_id <= last}
        lost = await self._index.incomplete(db, {each: row for each, row in stored.items() if wanted.get(each)})
        told = [(post_id, _fault(stored, wanted, post_id)) for post_id in sorted({*stored, *wanted})]
        told = [(post_id, "cannot be found" if post_id in lost else fault) for post_id, fault in told]
        return [f"post {post_id} {fault}" for post_id, fault in told if fault]

    async def _replace(self, tx: Transaction, after: int, last: int, batch: Sequence[PostChange]) -> None:
        listed = {change.post_id for change in batch}
        others = set(await self._index.span(tx, after, last)) - listed
        # One of these may have been listed since the walk came by; then its row is as new as can be.
        for post_id in sorted(others - await self._posts.among(tx, others)):
            await self._index.drop(post_id, tx)
        for change in batch:
            await self._index.put(change, tx)


def _fault(stored: Mapping[int, Row], wanted: Mapping[int, Row | None], post_id: int) -> str:
    row, right = stored.get(post_id), wanted.get(post_id)
    if row == right:
        return ""
    if row is None:
        return "is missing from the index"
    return "is indexed as something else" if right else "is in the index and should not be"
