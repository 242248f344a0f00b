"""Files on their way in: written to a temporary file as they come, and hashed, so that none is ever in memory whole."""

import asyncio
import hashlib
import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from cms_host.errors import TooLarge

#: Bytes that are gathered before a thread writes them.
GATHERED = 256 * 1024


class ReceivedFile(NamedTuple):
    """A file that came whole."""

    path: Path
    size: int
    #: In hex.
    sha256: str


class Receiving:
    """A file under way; made by :func:`receiving`."""

    def __init__(self, descriptor: int, path: Path, limit: int) -> None:
        #: Largest file in bytes.
        self.limit = limit
        self._descriptor = descriptor
        self._path = path
        self._gathered = bytearray()
        self._size = 0
        self._hash = hashlib.sha256()

    async def write(self, chunk: bytes) -> None:
        """Add what came.

        :raises TooLarge: together it is more than the limit. :raises OSError: the disk is full.
        """
        self._size += len(chunk)
        if self._size > self.limit:
            raise upload_too_large(self.limit)
        self._gathered += chunk
        if len(self._gathered) >= GATHERED:
            await self._put_away()

    async def finish(self) -> ReceivedFile:
        """Everything came. :raises OSError: the disk is full."""
        return ReceivedFile(self._path, self._size, await self.digest())

    async def digest(self) -> str:
        """SHA-256 of what came so far, in hex. :raises OSError: the disk is full."""
        if self._gathered:
            await self._put_away()
        return self._hash.hexdigest()

    async def _put_away(self) -> None:
        gathered, self._gathered = self._gathered, bytearray()
        await asyncio.to_thread(self._write_and_hash, bytes(gathered))

    def _write_and_hash(self, data: bytes) -> None:
        self._hash.update(data)
        left = memoryview(data)
        while left:
            left = left[os.write(self._descriptor, left) :]


@asynccontextmanager
async def receiving(folder: Path, limit: int) -> AsyncIterator[Receiving]:
    """A new file in the folder, which is made if need be; at the end of the block it is gone, unless it was moved.

    A process that is killed leaves its file behind: whoever owns the folder sees to that.

    :param limit: largest file in bytes.
    """
    descriptor, path = await asyncio.to_thread(_new_file, folder)
    try:
        yield Receiving(descriptor, path, limit)
    finally:
        await asyncio.to_thread(_drop, descriptor, path)


def upload_too_large(limit: int) -> TooLarge:
    """What to say of more than `max_upload_bytes`."""
    return TooLarge(f"The upload is larger than {limit} bytes (setting max_upload_bytes)")


def _new_file(folder: Path) -> tuple[int, Path]:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=folder)
    return descriptor, Path(name)


def _drop(descriptor: int, path: Path) -> None:
    os.close(descriptor)
    path.unlink(missing_ok=True)
