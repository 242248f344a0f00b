"""The public files: what has a row is shown, and nothing else."""

from collections.abc import Mapping, Sequence

from aiohttp import hdrs, web

from cms_host.api import Host, NotFound, Page
from cms_media import store
from cms_media.api import PUBLIC, MediaStore
from cms_media.paths import is_path
from cms_media.records import file_name

#: No path is ever used again, and no file ever changes.
FOREVER = "public, max-age=31536000, immutable"


def pages(host: Host) -> Sequence[Page]:
    """`GET` and `HEAD` of every file of a medium."""

    async def show(request: web.Request) -> web.StreamResponse:
        return await _show(host, request)

    return [Page(method, f"{PUBLIC}{{path:.+}}", show) for method in ("GET", "HEAD")]


async def _show(host: Host, request: web.Request) -> web.StreamResponse:
    path = request.match_info["path"]
    unit = host.unit()
    mime_type = await store.file_type(unit.db, path) if is_path(path) else None
    if mime_type is None:
        raise NotFound
    return await unit.get(MediaStore).respond(request, path, headers(path, mime_type))


def headers(path: str, mime_type: str) -> Mapping[str, str]:
    """Of every answer that shows a file: an image and nothing that a browser would run (RELIABILITY 3.8)."""
    return {
        hdrs.CONTENT_TYPE: mime_type,
        hdrs.CONTENT_DISPOSITION: f'inline; filename="{file_name(path)}"',
        hdrs.CACHE_CONTROL: FOREVER,
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
