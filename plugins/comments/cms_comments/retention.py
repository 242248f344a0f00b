"""The job that empties the trash and the spam of comments."""

import logging
from contextlib import suppress

from cms_comments import store
from cms_comments.service import REMOVE_LOCK, CommentService
from cms_comments.settings import TRASH_DAYS
from cms_host.api import DAY, Job, NotFound, UnitOfWork

log = logging.getLogger("cms_comments.retention")
#: Comments that one transaction deletes at the most, so that writers never wait for long.
BATCH = 50


async def empty_trash(unit: UnitOfWork) -> None:
    """Delete for good what has been in the trash, or spam, for longer than `comments.trash_days`."""
    days = unit.host.settings[TRASH_DAYS]
    if not days:
        return
    before, deleted = unit.host.clock.now() - days * DAY, 0
    while ids := await store.find_expired(unit.db, before, BATCH):
        # None of these is found again: each is gone now, or was restored meanwhile.
        deleted += await _delete(unit, ids, before)
    if deleted:
        log.info("old comments deleted for good", extra={"comments": deleted})


async def _delete(unit: UnitOfWork, ids: list[int], before: int) -> int:
    """How many of these were deleted."""
    deleted = 0
    async with unit.write(REMOVE_LOCK) as write:
        for comment_id in ids:
            with suppress(NotFound):
                await write.get(CommentService).delete(comment_id, discarded_before=before)
                deleted += 1
    return deleted


EMPTY_TRASH = Job("comments.empty-trash", 3_600, empty_trash)
