"""Files that nobody will ever ask for: of uploads that were cut off, and of media that are gone."""

import asyncio
import logging
from contextlib import suppress
from pathlib import Path

from cms_host.api import Job, UnitOfWork
from cms_media import store
from cms_media.api import MediaStore
from cms_media.intake import incoming

log = logging.getLogger("cms_media.cleaning")
#: Seconds after which a file without a row can't be one of an upload under way.
AGE = 3600
_SECOND = 1_000_000


async def delete_orphans(unit: UnitOfWork) -> None:
    """Delete every file of the store that has no row and is older than an hour.

    Rows are looked for after the files were listed: a file whose row is written meanwhile is not an orphan.
    """
    files = unit.get(MediaStore)
    async for paths in files.listed(unit.host.clock.now() - AGE * _SECOND):
        orphans = set(paths) - await store.stored(unit.db, paths)
        if orphans:
            await files.delete(orphans)
            log.info("orphaned files deleted", extra={"files": len(orphans)})


async def delete_incoming(unit: UnitOfWork) -> None:
    """Delete what killed processes of this machine left behind of files on their way."""
    await asyncio.to_thread(_delete_old, incoming(unit.host), unit.host.clock.now() - AGE * _SECOND)


def _delete_old(folder: Path, before: int) -> None:
    for file in folder.glob("*"):
        with suppress(FileNotFoundError):  # Its upload ended, or another process deletes the same.
            if file.stat().st_mtime_ns // 1000 < before:
                file.unlink()


ORPHANS = Job("media.orphans", AGE / 4, delete_orphans)
#: Every machine has a folder of its own, unless it is shared.
INCOMING = Job("media.incoming", AGE / 4, delete_incoming, scope="process")
