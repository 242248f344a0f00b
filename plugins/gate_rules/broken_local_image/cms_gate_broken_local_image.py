"""Refuses an image of the site's own that is not stored."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from sqlalchemy import select

from cms_host.api import Asked, Candidate, Finding, GateRule, Host, Query, Reader, hookimpl, one_of
from cms_media.api import files, media
from cms_posts.api import cover_path, image_path

#: Addresses that are told; a post with more broken images than these has one reason for all of them.
MOST_TOLD = 20
#: The media stay until the publish commits: who deletes one meanwhile waits, and then finds the post that shows it.
_STORED = Query(
    {
        dialect: select(files.c.path)
        .join_from(files, media, media.c.id == files.c.media_id)
        .where(condition)
        .with_for_update(read=True, key_share=True, of=media)
        for dialect, condition in one_of(files.c.path, "paths").items()
    }
)


class _Local(NamedTuple):
    """An address on the site."""

    #: The body's field in which it stands.
    field: str
    address: str
    #: The path of the file that it names; "" where no file could be, None for what is not local after all.
    path: str | None


class BrokenLocalImage(GateRule):
    """Refuses an image of the site's own that is not stored.

    *Anti-pattern*: a picture that was deleted, was never uploaded, or whose address has a slip of the pen: readers see
    a hole, as cover or in the text (`src`, every address of a `srcset`, the poster of a video).

    *Best practice*: upload first (`POST /api/v1/media`), and use the addresses of the answer: the original, its AVIF or
    its WebP.

    Local is what has no host or the host of `base_url`, and what it names has to be one of the three files of a medium.
    Images of other sites are not looked at.
    """

    code = "broken_local_image"
    kind = "block"

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        #: What is asked for ahead is asked for again a moment later.
        self._local = lru_cache(maxsize=4)(self._judged)

    def asks(self, candidate: Candidate) -> Sequence[Asked]:
        asked = _asked(self._local(candidate.images, candidate.cover))
        return [asked] if asked[1]["paths"] else []

    async def check(self, candidate: Candidate, db: Reader) -> Sequence[Finding]:
        local = self._local(candidate.images, candidate.cover)
        query, values = _asked(local)
        stored = {path for (path,) in await db.all(query, **values)} if values["paths"] else set()
        broken = [each for each in local if each.path not in stored]
        return [_finding(broken)] if broken else []

    def _judged(self, images: tuple[str, ...], cover: str) -> Sequence[_Local]:
        """Each local address once: of the content in its order, then of the cover."""
        found = [_Local("content", each, image_path(each, self._base_url)) for each in dict.fromkeys(images)]
        found.append(_Local("featured_image", cover, cover_path(cover, self._base_url)))
        return [each for each in found if each.path is not None]


def _asked(local: Iterable[_Local]) -> Asked:
    return _STORED, {"paths": sorted({each.path for each in local if each.path})}


def _finding(broken: Sequence[_Local]) -> Finding:
    told = [each.address for each in broken]
    named = ", ".join(told[:3]) + (", ..." if len(broken) > 3 else "")
    return Finding(
        message_tr=f"Sitede kayıtlı olmayan yerel görsel: {len(broken)} ({named}).",
        message_en=f"Local images that are not stored: {len(broken)} ({named}).",
        measured=told[:MOST_TOLD],
        required=[],
        field=broken[0].field,
    )


@hookimpl
def cms_gate_rules(host: Host) -> Sequence[GateRule]:
    """The rule."""
    return [BrokenLocalImage(host.config.base_url)]
