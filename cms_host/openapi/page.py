"""The page at /docs: Swagger UI as aiohttp-apispec brings it, which asks nobody but this host for anything."""

from importlib.resources import files
from pathlib import Path

from aiohttp import web

PAGE_PATH = "/docs"
#: The bundle needs no inline scripts, no inline styles and no `eval`; its icons are `data:` addresses.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
#: Package, folder, file and type of everything that the page is made of; no source maps, no second layout.
ASSETS = (
    ("cms_host.openapi", "assets", "docs.js", "text/javascript; charset=utf-8"),
    ("cms_host.openapi", "assets", "docs.css", "text/css; charset=utf-8"),
    ("aiohttp_apispec", "static", "swagger-ui-bundle.js", "text/javascript; charset=utf-8"),
    ("aiohttp_apispec", "static", "swagger-ui.css", "text/css; charset=utf-8"),
    ("aiohttp_apispec", "static", "favicon-32x32.png", "image/png"),
)


def add_page(app: web.Application) -> None:
    """Serve the page and its files."""
    for path in (PAGE_PATH, f"{PAGE_PATH}/"):
        app.router.add_get(path, _File("cms_host.openapi", "assets", "docs.html", "text/html; charset=utf-8").answer)
    for asset in ASSETS:
        file = _File(*asset)
        app.router.add_get(f"{PAGE_PATH}/{file.name}", file.answer)


class _File:
    """One file of an installed package."""

    def __init__(self, package: str, folder: str, name: str, content_type: str) -> None:
        self.name = name
        self._path = Path(str(files(package))) / folder / name
        self._headers = {**HEADERS, "Content-Type": content_type}

    async def answer(self, request: web.Request) -> web.StreamResponse:
        return web.FileResponse(self._path, headers=self._headers)
