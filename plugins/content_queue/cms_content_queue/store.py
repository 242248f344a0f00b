"""Every statement about queued articles."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import bindparam, delete, func, select, update

from cms_content_queue.api import PendingItem
from cms_content_queue.item import PENDING, Item, Listed
from cms_content_queue.tables import items
from cms_host.api import Id, Paging, Query, Reader, Transaction, insert

_PAGE = Query(
    select(*[items.c[name] for name in PendingItem._fields])
    .where(items.c.status == PENDING)
    .order_by(items.c.id)
    .limit(bindparam("limit", type_=Id))
    .offset(bindparam("offset", type_=Id)),
    PendingItem,
    scans=True,
)
_COUNT = Query(select(func.count().label("total")).select_from(items).where(items.c.status == PENDING), scans=True)
_LIST = Query(
    select(*[items.c[name] for name in Listed._fields])
    .where(items.c.status == bindparam("status"))
    .order_by(items.c.id),
    Listed,
    scans=True,
)
_FIND = Query(select(*[items.c[name] for name in Item._fields]).where(items.c.id == bindparam("id")), Item)
_BY_DIGEST = Query(select(items.c.id, items.c.status).where(items.c.digest == bindparam("digest")))
_EARLIER = Query(
    select(items.c.id)
    .where(items.c.source == bindparam("source"), items.c.status == PENDING, items.c.id < bindparam("before"))
    .order_by(items.c.id)
)
_NEW = [
    "status", "title", "source", "format", "created_at", "digest", "author", "dated_at", "is_draft", "fields",
    "unknown", "content",
]  # fmt: skip
_ADD = Query(
    insert(items)
    .values({name: bindparam(name) for name in _NEW})
    .on_conflict_do_nothing(index_elements=["digest"])
    .returning(items.c.id)
)
_DECIDE = Query(
    update(items)
    .where(items.c.id == bindparam("which"), items.c.status == PENDING)
    .values(status=bindparam("new_status"), decided_at=bindparam("now"))
)
_KEEP_POST = Query(update(items).where(items.c.id == bindparam("which")).values(post_id=bindparam("post")))
_old = select(items.c.id).where(items.c.decided_at <= bindparam("before")).limit(bindparam("most", type_=Id))
_FORGET = Query(delete(items).where(items.c.id.in_(_old.scalar_subquery())), scans=True)


async def find_pending(db: Reader, paging: Paging) -> tuple[Sequence[PendingItem], int]:
    """Some of the items that wait, the oldest first, and how many wait."""
    total: int = await db.value(_COUNT)
    if paging.offset >= total:
        return [], total
    return await db.all(_PAGE, limit=paging.per_page, offset=paging.offset), total


async def find_all(db: Reader, statuses: Collection[str]) -> list[Listed]:
    """Every item of these statuses, the oldest first."""
    found = [item for status in statuses for item in await db.all(_LIST, status=status)]
    return sorted(found)


async def find(db: Reader, item_id: int) -> Item | None:
    return await db.first(_FIND, id=item_id)


async def find_by_digest(db: Reader, digest: str) -> tuple[int, str] | None:
    """The id and the status of what was queued of the same bytes."""
    return await db.first(_BY_DIGEST, digest=digest)


async def find_earlier(db: Reader, source: str, before: int) -> list[int]:
    """What else waits of the same file, queued before this id."""
    return [item_id for (item_id,) in await db.all(_EARLIER, source=source, before=before)]


async def add(tx: Transaction, values: dict[str, Any]) -> int | None:
    """The id of a new item; None where the same bytes were queued already. Waits for a rival's transaction to end."""
    row = await tx.first(_ADD, **values)
    return None if row is None else int(row[0])


async def decide(tx: Transaction, item_id: int, status: str, now: int) -> bool:
    """Give an item that waits its last status; False where it does not wait. A rival waits for this transaction."""
    return bool(await tx.execute(_DECIDE, which=item_id, new_status=status, now=now))


async def keep_post(tx: Transaction, item_id: int, post_id: int) -> None:
    """Remember which post an item became."""
    await tx.execute(_KEEP_POST, which=item_id, post=post_id)


async def forget(tx: Transaction, before: int, most: int) -> int:
    """Delete some of what was decided by then; how many those were."""
    return await tx.execute(_FORGET, before=before, most=most)
