"""The numbers of posts by type, status and visibility."""

from collections.abc import Callable, Sequence

from cms_host.api import Reader, UnitOfWork
from cms_posts.indexes.counted import Counted
from cms_posts.indexes.laws import broken
from cms_posts.tables import counts, posts


class TotalIndex:
    """What lists say in `total` without counting."""

    name = "posts.totals"
    _counted = Counted(posts, counts)

    async def verify(self, db: Reader) -> Sequence[str]:
        return await broken(db, [self._counted.law])

    async def rebuild(self, unit: UnitOfWork, progress: Callable[[int, int], None]) -> None:
        """In one transaction, for a sum has no parts; nobody writes meanwhile (a second or so for 100,000 posts)."""
        async with unit.write() as inner:
            await self._counted.count_anew(inner.tx)
        progress(1, 1)
