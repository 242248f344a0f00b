"""The content queue, and what may happen in it."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from cms_content_queue import store
from cms_content_queue.api import PendingItem
from cms_content_queue.article import Article
from cms_content_queue.item import PENDING, REJECTED, Item, Listed
from cms_host.api import Conflict, NotFound, Paging, UnitOfWork


class Decided(Conflict):
    """An item that was approved or rejected can't be decided again."""

    def __init__(self, item_id: int, status: str) -> None:
        super().__init__(f"The item {item_id} is {status} already")


class Added(NamedTuple):
    """What became of an article that was to be queued."""

    #: The item; an older one where the same file was queued before.
    id: int
    is_new: bool
    #: The item's.
    status: str
    #: What else waits of a file of that name.
    earlier: Sequence[int] = ()


class QueueService:
    """The content queue; provides `PendingItems` to neighbours."""

    def __init__(self, unit: UnitOfWork) -> None:
        self._unit = unit

    async def page(self, paging: Paging) -> tuple[Sequence[PendingItem], int]:
        return await store.find_pending(self._unit.db, paging)

    async def all(self, statuses: Collection[str]) -> list[Listed]:
        """Every item of these statuses, the oldest first."""
        return await store.find_all(self._unit.db, statuses)

    async def read(self, item_id: int) -> Item:
        """An item that waits.

        :raises NotFound: there is none of that id. :raises Decided: it does not wait any more.
        """
        item = await store.find(self._unit.db, item_id)
        if item is None:
            raise NotFound(f"There is no item {item_id} in the queue")
        if item.status != PENDING:
            raise Decided(item_id, item.status)
        return item

    async def add(self, article: Article, source: str) -> Added:
        """Queue an article, unless the same file is there already; inside a transaction.

        :param source: the file, as the operator named it.
        """
        values = article._asdict()
        del values["remarks"]
        tx, now = self._unit.tx, self._unit.host.clock.now()
        item_id = await store.add(tx, {**values, "source": source, "status": PENDING, "created_at": now})
        if item_id is None:
            found = await store.find_by_digest(tx, article.digest)
            if found is None:
                raise Conflict("The same file was deleted from the queue at this moment; add it again")
            return Added(found[0], False, found[1])
        return Added(item_id, True, PENDING, await store.find_earlier(tx, source, item_id))

    async def reject(self, item_id: int) -> None:
        """Say that no post is to be made of an item; inside a transaction.

        :raises NotFound: there is none of that id. :raises Decided: it does not wait any more.
        """
        await self.decide(item_id, REJECTED)

    async def decide(self, item_id: int, status: str) -> None:
        """Give an item its last status, which nobody else can do then; inside a transaction. Raises as `reject`."""
        if not await store.decide(self._unit.tx, item_id, status, self._unit.host.clock.now()):
            await self.read(item_id)
            raise Conflict(f"The item {item_id} is being decided by somebody else")
