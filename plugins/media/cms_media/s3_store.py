"""The store of sites that have several hosts: a bucket of any service that speaks S3's protocol."""

import asyncio
import logging
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import obstore.store
from aiohttp import hdrs, web
from obstore.exceptions import BaseError

from cms_host.api import MediaStorage
from cms_media.judging import FORMATS
from cms_media.paths import checked, is_path

log = logging.getLogger("cms_media.s3_store")
#: Paths that are listed at a time.
BATCH = 500
#: Bytes that are passed on at a time.
PIECE = 256 * 1024
#: Seconds until the service has to answer at all; a whole transfer, to the slowest of readers, may take longer.
PATIENCE, TRANSFER = 15, 600
#: Parts of one file that are sent at once: each is held in memory.
PARTS = 2
#: By extension: for whoever looks into the bucket. What clients are told is in the database.
_TYPES = {extension: mime_type for mime_type, extension in FORMATS.values()}


class NotWritable(Exception):
    """Nothing can be written to the bucket; the message is the service's, in one line"""

    def __init__(self, error: Exception) -> None:
        super().__init__(" ".join(str(error).partition("Debug source:")[0].split()))


class S3Store:
    """Provides `MediaStore` in a bucket.

    The key of a file is the prefix, which must be this site's alone, and its path. Credentials are looked for where
    Amazon's own tools do: `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, or the role of the machine.
    """

    def __init__(self, storage: MediaStorage) -> None:
        options: dict[str, Any] = {"endpoint": storage.endpoint} if storage.endpoint else {}
        self._told = f"{storage.endpoint or 's3:/'}/{storage.bucket}/{storage.prefix}".rstrip("/")
        self._bucket = obstore.store.S3Store(
            storage.bucket,
            prefix=storage.prefix.strip("/") or None,
            region=storage.region,
            client_options={
                "allow_http": storage.endpoint.startswith("http://"),
                "connect_timeout": timedelta(seconds=5),
                "timeout": timedelta(seconds=TRANSFER),
            },
            retry_config={"max_retries": 3, "retry_timeout": timedelta(seconds=PATIENCE)},
            **options,
        )

    async def put(self, found: Mapping[str, Path]) -> None:
        """Copy files to their paths.

        :raises Exception: the service can't be reached, or refuses; what was put by then is an orphan.
        """
        for path, source in found.items():
            attributes: dict[Any, str] = {"Content-Type": _TYPES[checked(path).rpartition(".")[2]]}
            await self._bucket.put_async(path, source, attributes=attributes, max_concurrency=PARTS)

    async def respond(self, request: web.Request, path: str, headers: Mapping[str, str]) -> web.StreamResponse:
        """The bytes pass through this process. Ranges are cut out here, for not all services know them well.

        :raises TimeoutError: the service does not answer. :raises Exception: it answers with something else.
        """
        try:
            async with asyncio.timeout(PATIENCE):
                if request.method == hdrs.METH_HEAD:
                    return _shown(request, (await self._bucket.head_async(checked(path)))["size"], headers, None)
                found = await self._bucket.get_async(checked(path))
        except FileNotFoundError:
            log.error("a file is missing from the store", extra={"file": f"{self._told}/{path}"})
            return web.Response(status=404, text="404: Not Found")
        return _shown(request, found.meta["size"], headers, found)

    async def delete(self, paths: Collection[str]) -> None:
        """:raises Exception: one can't be deleted; others may be gone."""
        for path in paths:
            await self._bucket.delete_async(checked(path))

    async def listed(self, before: int) -> AsyncIterator[Sequence[str]]:
        """The service's clock tells when a file was put."""
        moment = datetime.fromtimestamp(before / 1_000_000, UTC)
        async for batch in self._bucket.list(chunk_size=BATCH):
            found = [each["path"] for each in batch if each["last_modified"] < moment and is_path(each["path"])]
            if found:
                yield found

    async def verify(self) -> str:
        """:raises NotWritable: so it is. :raises TimeoutError: the service does not answer."""
        try:
            async with asyncio.timeout(PATIENCE):
                # Always under the same key: whoever breaks this off leaves one file behind at the most.
                await self._bucket.put_async("trial", b"written")
                await self._bucket.delete_async("trial")
        except (BaseError, FileNotFoundError) as error:
            raise NotWritable(error) from None
        return self._told


def _shown(request: web.Request, size: int, headers: Mapping[str, str], found: Any) -> web.StreamResponse:
    """The answer with a file, or with the range of it that was asked for.

    :param found: what obstore gives for a file; None for its headers alone.
    """
    part = _wanted(request, size)
    if part is None:
        return web.Response(status=416, headers={hdrs.CONTENT_RANGE: f"bytes */{size}"})
    shown = {**headers, hdrs.ACCEPT_RANGES: "bytes", hdrs.CONTENT_LENGTH: str(len(part))}
    if len(part) < size:
        shown[hdrs.CONTENT_RANGE] = f"bytes {part.start}-{part.stop - 1}/{size}"
    body = None if found is None else _pieces(found, part)
    return web.Response(status=206 if len(part) < size else 200, headers=shown, body=body)


def _wanted(request: web.Request, size: int) -> range | None:
    """The bytes that a request asks for; None where there are none of these."""
    if hdrs.IF_RANGE in request.headers:
        # Nothing was ever given that it could compare with.
        return range(size)
    try:
        asked = request.http_range
    except ValueError:
        return None
    return range(size)[asked.start : asked.stop] or None


async def _pieces(found: Any, part: range) -> AsyncIterator[bytes]:
    position = 0
    async for piece in found.stream(min_chunk_size=PIECE):
        if wanted := piece[max(part.start - position, 0) : part.stop - position]:
            yield bytes(wanted)
        position += len(piece)
        if position >= part.stop:
            return
