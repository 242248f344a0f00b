"""The job that empties the trash (setting `posts.trash_days`)."""

import logging
from typing import NamedTuple

from sqlalchemy import bindparam, select, tuple_

from cms_host.api import DAY, Id, Job, NotFound, Query, Reader, UnitOfWork
from cms_posts.due import NotExpired
from cms_posts.service import PostService
from cms_posts.settings import TRASH_DAYS
from cms_posts.tables import posts

log = logging.getLogger("cms_posts.trash")
#: Posts that are looked for at once; each is deleted in a transaction of its own, so that writers wait for one.
BATCH = 100


class Trashed(NamedTuple):
    """A post in the trash, and since when."""

    trashed_at: int
    id: int


_EXPIRED = Query(
    select(posts.c.trashed_at, posts.c.id)
    .where(posts.c.trashed_at.is_not(None), posts.c.trashed_at <= bindparam("before"))
    .where(tuple_(posts.c.trashed_at, posts.c.id) > tuple_(bindparam("at", type_=Id), bindparam("after", type_=Id)))
    .order_by(posts.c.trashed_at, posts.c.id)
    .limit(bindparam("most", type_=Id)),
    Trashed,
)


async def empty_trash(unit: UnitOfWork) -> None:
    """Delete for good what has been in the trash for longer than `posts.trash_days`, the oldest first."""
    days = unit.host.settings[TRASH_DAYS]
    if not days:
        return
    before, last, deleted = unit.host.clock.now() - days * DAY, Trashed(0, 0), 0
    while found := await _expired(unit.db, before, last):
        for each in found:
            deleted += await _delete(unit, each.id, before)
        last = found[-1]
    if deleted:
        log.info("old trash deleted for good", extra={"posts": deleted})


async def _expired(db: Reader, before: int, last: Trashed) -> list[Trashed]:
    return await db.all(_EXPIRED, before=before, at=last.trashed_at, after=last.id, most=BATCH)


async def _delete(unit: UnitOfWork, post_id: int, before: int) -> bool:
    """Whether it was deleted. One that can't be is logged, and is not in the way of the others."""
    try:
        async with unit.write() as write:
            await write.get(PostService).delete(post_id, force=True, trashed_before=before)
    except (NotFound, NotExpired):
        return False
    except Exception:
        log.exception("a post in the trash could not be deleted", extra={"post_id": post_id})
        return False
    return True


EMPTY_TRASH = Job("posts.empty-trash", 3_600, empty_trash)
