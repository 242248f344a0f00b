"""How pages look: templates filled in, in the reader's language, behind headers that let nothing else happen."""

import hashlib
from base64 import b64encode
from collections.abc import Mapping
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from aiohttp import web

from cms_members.texts import preferred, texts

if TYPE_CHECKING:
    from jinja2 import Environment

#: A page may load nothing but its style, be framed by nobody, and send its form to this site alone.
_CSP = "default-src 'none'; style-src 'sha256-{}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
_HEADERS: Mapping[str, str] = {
    "Cache-Control": "no-store",
    # The token in the address goes to no other site. `no-referrer` would have browsers send `Origin: null` with
    # forms, and leave nothing to tell ours from a stranger's by (docs/decisions/0028).
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Robots-Tag": "noindex",
}


class Pages:
    """One host's templates, read when the first page is shown."""

    def show(self, request: web.Request, page: str, status: int = 200, **values: Any) -> web.Response:
        """A page in the language that the request asks for.

        :param page: a table of the texts; where no template has its name, it says something and no more.
        """
        language = preferred(request.headers.get("Accept-Language", ""))
        words = texts(language)
        template = self._templates.select_template([f"{page}.html", "notice.html"])
        html = template.render(language=language, words=words[page], errors=words["wrong"], style=self._style, **values)
        headers = {**_HEADERS, "Content-Security-Policy": self._policy, "Content-Language": language}
        return web.Response(text=html, status=status, headers=headers, content_type="text/html", charset="utf-8")

    @cached_property
    def _templates(self) -> "Environment":
        # Most processes never show a page, and importing it takes long.
        from jinja2 import Environment, PackageLoader, StrictUndefined

        return Environment(
            loader=PackageLoader("cms_members"), autoescape=True, undefined=StrictUndefined,
            trim_blocks=True, lstrip_blocks=True,
        )  # fmt: skip

    @cached_property
    def _style(self) -> Any:
        from markupsafe import Markup

        return Markup((files("cms_members") / "templates" / "style.css").read_text("utf-8"))  # noqa: S704 - a file of this package.

    @cached_property
    def _policy(self) -> str:
        return _CSP.format(b64encode(hashlib.sha256(self._style.encode()).digest()).decode())
