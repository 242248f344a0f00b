"""The API's document at /docs/openapi.json, and a page to read and try it at /docs. Neither needs a key or counts.

Building the document takes longer than answering from it a thousand times, and most processes are never asked
for it: it is made at the first request, off the event loop, and kept as bytes.
"""

import asyncio
from collections.abc import Sequence

from aiohttp import web

from cms_host.openapi.page import HEADERS, add_page
from cms_host.routing import Route

__all__ = ["DOCUMENT_PATH", "add_docs"]
DOCUMENT_PATH = "/docs/openapi.json"


def add_docs(app: web.Application, routes: Sequence[Route]) -> None:
    """Serve the OpenAPI document of the routes, and the page that shows it."""
    document = _Document(routes)
    app.router.add_get(DOCUMENT_PATH, document.answer)
    add_page(app)


class _Document:
    """One application's document."""

    def __init__(self, routes: Sequence[Route]) -> None:
        self._routes = routes
        self._turn = asyncio.Lock()
        self._text: bytes | None = None

    async def answer(self, request: web.Request) -> web.StreamResponse:
        async with self._turn:
            if self._text is None:
                self._text = await asyncio.to_thread(_built, self._routes)
        return web.Response(body=self._text, content_type="application/json", headers=HEADERS)


def _built(routes: Sequence[Route]) -> bytes:
    import orjson

    from cms_host.openapi.document import build_document

    return orjson.dumps(build_document(routes))
