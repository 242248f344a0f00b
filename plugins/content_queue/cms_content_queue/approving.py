"""From a queued article to a post. What is approved, and the post that it becomes, are one transaction."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from cms_content_queue import store
from cms_content_queue.item import APPROVED, Item
from cms_content_queue.service import QueueService
from cms_host.api import Refused, UnitOfWork, iso
from cms_posts.api import Submissions

#: What the gate's reports call it.
TRIGGER = "queue"
DRAFT, PUBLISHED, SCHEDULED = "draft", "published", "scheduled"


class Approved(NamedTuple):
    """What became of an item."""

    post_id: int
    #: The post's.
    status: str
    #: What its writer should know, shaped like findings of the gate.
    warnings: Sequence[dict[str, Any]]
    #: Why the gate kept it from being published.
    blocks: Sequence[dict[str, str]] = ()


class Approvals:
    """Makes posts of items, in the name of the unit of work's caller."""

    def __init__(self, unit: UnitOfWork) -> None:
        self._unit = unit

    async def approve(self, item_id: int, *, publish: bool = False) -> Approved:
        """Make a draft of an item that waits.

        :param publish: publish it, or schedule it where its date is still to come, unless it calls itself a draft.
            Where the gate refuses, a draft is made all the same.
        :raises NotFound: there is none of that id. :raises Decided: it does not wait any more.
        :raises ApiError: no post can be made of it, as `POST /posts` would say; it goes on waiting.
        """
        item = await self._unit.get(QueueService).read(item_id)
        status = self._status(item) if publish else DRAFT
        try:
            return await self._made(item, status)
        except Refused as refused:
            return (await self._made(item, DRAFT))._replace(blocks=refused.blocks)

    def _status(self, item: Item) -> str:
        """What the item is to become where it is not to be just a draft."""
        if item.is_draft:
            return DRAFT
        return SCHEDULED if (item.dated_at or 0) > self._unit.host.clock.now() else PUBLISHED

    async def _made(self, item: Item, status: str) -> Approved:
        ready = await self._unit.get(Submissions).new(_body(item, status), TRIGGER)
        async with ready.writing() as write:
            await write.get(QueueService).decide(item.id, APPROVED)
            data = await ready.carry_out(write)
            await store.keep_post(write.tx, item.id, data["id"])
        return Approved(data["id"], data["post"]["status"], data["warnings"])


def _body(item: Item, status: str) -> dict[str, Any]:
    """A body of `POST /posts`."""
    body = {**item.fields, "title": item.title, "content": item.content, "content_format": item.format}
    if status == SCHEDULED and item.dated_at is not None:
        return {**body, "scheduled_at": iso(item.dated_at, "UTC")}
    return {**body, "status": status}
