"""The store that every site has: a folder on a local disk, whose files outlive a loss of power once they are put."""

import asyncio
import logging
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from aiohttp import hdrs, web

from cms_host.api import Clock
from cms_media.paths import checked, is_path

log = logging.getLogger("cms_media.local_store")
#: Paths that are listed at a time.
BATCH = 500


class StoredFile(web.FileResponse):
    """A file as it is; what is no file is not to be kept by anybody."""

    def set_status(self, status: int, reason: str | None = None) -> None:
        super().set_status(status, reason)
        if status >= web.HTTPBadRequest.status_code:
            for name in (hdrs.CACHE_CONTROL, hdrs.CONTENT_DISPOSITION, hdrs.CONTENT_TYPE):
                self.headers.popall(name, None)
        if status == web.HTTPNotFound.status_code:
            log.error("a file is missing from the store", extra={"file": str(self._path)})


class LocalStore:
    """Provides `MediaStore` in a folder of its own, which is made when the first file is put."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._folder = folder
        self._clock = clock

    async def put(self, found: Mapping[str, Path]) -> None:
        """Move files to their paths. They must be on the same disk as the store.

        :raises OSError: the disk is full, or the folder can't be written to; what was put by then is an orphan.
        """
        await asyncio.to_thread(self._put, found)

    async def respond(self, request: web.Request, path: str, headers: Mapping[str, str]) -> web.StreamResponse:
        return StoredFile(self._at(path), headers=headers)

    async def delete(self, paths: Collection[str]) -> None:
        """:raises OSError: one can't be deleted; those before it are gone."""
        await asyncio.to_thread(self._delete, [self._at(path) for path in paths])

    async def listed(self, before: int) -> AsyncIterator[Sequence[str]]:
        walk = self._walk(before)
        while batch := await asyncio.to_thread(_next_of, walk):
            yield batch

    async def verify(self) -> str:
        """:raises OSError: the folder, or whatever it would be made in, can't be written to."""
        return await asyncio.to_thread(self._verify)

    def _at(self, path: str) -> Path:
        return self._folder / checked(path)

    def _put(self, found: Mapping[str, Path]) -> None:
        now = self._clock.now() * 1000
        changed: set[Path] = set()
        for path, source in found.items():
            target = self._at(path)
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # All the way up: another process may have made a folder a moment ago, and not come to this line yet.
            changed |= {each for each in target.parents if each.is_relative_to(self._folder.parent)}
            # From now on it is as old as the site says, whatever the clock of the disk is.
            os.utime(source, ns=(now, now))
            _sync(source)
            source.rename(target)
        for folder in changed:
            _sync(folder)

    def _delete(self, files: Sequence[Path]) -> None:
        for file in files:
            file.unlink(missing_ok=True)

    def _walk(self, before: int) -> Iterator[str]:
        for file in self._folder.glob("*/*/*"):
            path = file.relative_to(self._folder).as_posix()
            if is_path(path) and _put_at(file) < before:
                yield path

    def _verify(self) -> str:
        place = self._folder.absolute()
        existing = next(each for each in (place, *place.parents) if each.exists())
        # A file without a name: it is gone however this ends.
        with tempfile.TemporaryFile(dir=existing) as file:
            file.write(b"written")
            file.flush()
        free = shutil.disk_usage(existing).free // 2**20
        return f"{place}{'' if existing == place else ' (made with the first upload)'}, {free} MiB free"


def _next_of(walk: Iterator[str]) -> list[str]:
    return list(islice(walk, BATCH))


def _put_at(file: Path) -> int:
    """Microseconds since the epoch; what is gone meanwhile is as young as can be."""
    try:
        return file.stat().st_mtime_ns // 1000
    except FileNotFoundError:
        return 2**63


def _sync(path: Path) -> None:
    """What the file or folder holds is on the disk when this returns."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
