"""The job that deletes what was decided long ago."""

import logging

from cms_content_queue import store
from cms_content_queue.settings import KEEP_DAYS
from cms_host.api import Job, UnitOfWork

log = logging.getLogger("cms_content_queue.retention")
_DAY = 86_400_000_000
#: Items that one transaction deletes at the most, so that writers never wait for long.
BATCH = 100


async def forget_decided(unit: UnitOfWork) -> None:
    """Delete what was approved or rejected more than `content_queue.keep_days` ago."""
    days = unit.host.settings[KEEP_DAYS]
    if not days:
        return
    before, deleted, last = unit.host.clock.now() - days * _DAY, 0, BATCH
    while last == BATCH:
        async with unit.write() as write:
            last = await store.forget(write.tx, before, BATCH)
        deleted += last
    if deleted:
        log.info("decided items of the content queue deleted", extra={"items": deleted})


FORGET = Job("content-queue.forget-decided", 3_600, forget_decided)
