"""Warns about a post without a cover image."""

from collections.abc import Sequence

from sqlalchemy import bindparam, select

from cms_host.api import Asked, Candidate, Finding, GateRule, Host, Query, Reader, hookimpl
from cms_media.api import files
from cms_posts.api import cover_path

_STORED = Query(select(files.c.path).where(files.c.path == bindparam("path")))


class MissingCover(GateRule):
    """Warns about a post without a cover image.

    *Anti-pattern*: a card without a picture in every list and on every social network.

    *Best practice*: set `featured_image` to a picture that shows the subject: a stored one, or one of another site.

    A cover on the site itself that is not stored is none: readers see nothing there. (`broken_local_image`, where it
    blocks, refuses such a post; this rule still tells where that one is off.)
    """

    code = "missing_cover"
    kind = "warning"

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url

    def asks(self, candidate: Candidate) -> Sequence[Asked]:
        path = cover_path(candidate.cover.strip(), self._base_url)
        return [(_STORED, {"path": path})] if path else []

    async def check(self, candidate: Candidate, db: Reader) -> Sequence[Finding]:
        cover = candidate.cover.strip()
        path = cover_path(cover, self._base_url)
        is_there = cover and (path is None or (path and await db.first(_STORED, path=path)))
        if is_there:
            return []
        return [
            Finding(
                message_tr="Kapak görseli yok; 1 görsel eklenmesi önerilir.",
                message_en="There is no cover image; 1 is recommended.",
                measured=0,
                required=1,
                field="featured_image",
            )
        ]


@hookimpl
def cms_gate_rules(host: Host) -> Sequence[GateRule]:
    """The rule."""
    return [MissingCover(host.config.base_url)]
