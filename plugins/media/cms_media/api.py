"""What neighbours may know of media, and what this plugin asks of those who use them."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from aiohttp import web
from sqlalchemy import column, table

from cms_host.api import Ascii, Id, ReceivedFile, Receiving
from cms_media.schemas import MediaRecord

__all__ = [
    "PUBLIC",
    "Library",
    "MediaFiles",
    "MediaRecord",
    "MediaStore",
    "MediaUse",
    "StoredImage",
    "UsingPost",
    "files",
    "media",
]

#: Read-only, for joins: every stored file by its path, the original of a medium and its two variants.
files = table("media_files", column("path", Ascii), column("media_id", Id))
#: Read-only as well. A medium is about to be deleted by whoever holds its row: who counts on its files shares that.
media = table("media", column("id", Id))
#: What public addresses of files begin with, behind the site's `base_url`; their paths follow.
PUBLIC = "/media/"


class UsingPost(NamedTuple):
    """A post that shows a medium."""

    id: int
    title: str


class MediaUse(Protocol):
    """Whoever knows where media are used."""

    async def using(self, paths: Collection[str]) -> Sequence[UsingPost]:
        """The posts that show one of these files, as cover or in their content; the first few are enough.

        :param paths: of one medium: its original and its variants, as `files` has them.
        """


class MediaFiles(Protocol):
    """Which files there are, as other plugins may ask."""

    async def stored(self, paths: Collection[str]) -> set[str]:
        """Those of the paths under which a file is stored, be it an original or a variant."""


class StoredImage(NamedTuple):
    """An image whose three files are in the store for good, and of which there is no record yet."""

    path: str
    avif: str
    webp: str
    mime_type: str
    #: Pixels, as it is shown: turned the way its EXIF data say.
    width: int
    height: int
    #: Of the original, in bytes and in hex.
    size: int
    sha256: str


class Library(Protocol):
    """The way in for images that do not come by `POST /media`."""

    def receiving(self) -> AbstractAsyncContextManager[Receiving]:
        """A file to write to piece by piece; it is deleted at the end of the block unless it was taken in.

        :raises TooLarge: when writing, it is more than `max_upload_bytes`.
        """

    async def take_in(self, received: ReceivedFile) -> StoredImage:
        """Judge a file by its content, make the variants, and store all three; outside of any transaction.

        What never gets its record is deleted by a job an hour later.

        :raises Unprocessable: it is no image that is taken, or can't be converted; nothing is stored.
        :raises Busy: too many others wait to be converted.
        """

    async def add(self, image: StoredImage, *, alt: str = "", title: str = "") -> Mapping[str, Any]:
        """Make the caller's record of a stored image, as `POST /media` answers it; inside a transaction."""


class MediaStore(Protocol):
    """Where files are kept. Paths are made by this plugin (`2026/11/<random>.jpg`), and never used twice.

    The first plugin that provides it is asked; this one provides a folder of its own.
    """

    async def put(self, found: Mapping[str, Path]) -> None:
        """Keep these local files under the paths.

        When it returns they outlive a loss of power, and not before the row is written that says so. The local files
        may be moved away.
        """

    async def respond(self, request: web.Request, path: str, headers: Mapping[str, str]) -> web.StreamResponse:
        """Answer a GET or a HEAD for a file, ranges included; with these headers wherever it is shown.

        What is missing is a plain 404 that nobody may keep, and an error in the log.
        """

    async def delete(self, paths: Collection[str]) -> None:
        """Delete files; it does not matter whether they are there."""

    def listed(self, before: int) -> AsyncIterator[Sequence[str]]:
        """The paths of all files that were put before a moment, some hundreds at a time.

        :param before: microseconds since the epoch.
        """

    async def verify(self) -> str:
        """A few words about a store that can be written to, whatever it takes to know; nothing is left behind.

        :raises Exception: it can't; the message says why.
        """
