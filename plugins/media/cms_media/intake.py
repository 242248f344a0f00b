"""From a file that came to three files in the store."""

import asyncio
from collections.abc import Iterable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from cms_host.api import Host, ReceivedFile, Receiving, TooComplex, receiving
from cms_media.api import MediaStore, StoredImage
from cms_media.conversion import convert_image
from cms_media.judging import Judged, TooHard
from cms_media.paths import new_paths
from cms_media.settings import encoding

#: In the data folder: the local store, and in it the files that are on their way there.
STORE_FOLDER, INCOMING_FOLDER = "media", "media/incoming"


def incoming(host: Host) -> Path:
    """The folder of files that are on their way; on the disk of the local store, so that they can be moved there."""
    return host.data_dir / INCOMING_FOLDER


def receiving_upload(host: Host) -> AbstractAsyncContextManager[Receiving]:
    """A new file in that folder, for the length of a block."""
    return receiving(incoming(host), host.config.max_upload_bytes)


async def take_in(host: Host, store: MediaStore, received: ReceivedFile) -> StoredImage:
    """See :class:`cms_media.api.Library`."""
    avif, webp = (received.path.with_name(f"{received.path.name}.{kind}") for kind in ("avif", "webp"))
    try:
        judged = await _convert(host, received.path, avif, webp)
        paths = new_paths(judged.extension, host.clock.now())
        await store.put({paths.original: received.path, paths.avif: avif, paths.webp: webp})
    finally:
        await asyncio.to_thread(_drop, (avif, webp))
    return StoredImage(
        *paths, judged.mime_type, judged.width, judged.height, size=received.size, sha256=received.sha256
    )


async def _convert(host: Host, source: Path, avif: Path, webp: Path) -> Judged:
    try:
        return await host.image_workers.run(convert_image, source, avif, webp, encoding(host))
    except TooComplex as error:
        raise TooHard from error


def _drop(files: Iterable[Path]) -> None:
    for file in files:
        file.unlink(missing_ok=True)
