"""What neighbours may know of posts."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from sqlalchemy import column, table

from cms_host.api import Id
from cms_posts.addresses import permalink
from cms_posts.gate_reports import GateFigures, gate_figures
from cms_posts.listed_walk import ListedPosts, texts_of
from cms_posts.local_images import cover_path, image_path
from cms_posts.passwords import OPENER, OPENER_DOC
from cms_posts.visible import Looked, Viewer, posts, read_by, seen_by, viewer_of

__all__ = [
    "OPENER",
    "OPENER_DOC",
    "CleanComment",
    "GateFigures",
    "ListedPosts",
    "Looked",
    "Posts",
    "Sanitizer",
    "SeenPost",
    "Viewer",
    "cover_path",
    "gate_figures",
    "image_path",
    "permalink",
    "post_tags",
    "posts",
    "read_by",
    "seen_by",
    "texts_of",
    "viewer_of",
]

#: Read-only, for joins: which posts carry which tags, with what tells whether the post is to be seen (see `Looked`).
post_tags = table("post_tags", column("tag_id", Id), column("post_id", Id), column("status"), column("visibility"))


class SeenPost(NamedTuple):
    """What a neighbour needs to know of a post that its caller may see."""

    id: int
    status: str
    #: `open` or `closed`.
    comment_status: str
    #: Whether the caller may read its text: no password guards it, or the right one was shown.
    is_open: bool


class Posts(Protocol):
    """Posts, as the unit of work's caller may see them."""

    async def seen(self, post_id: int, password: str | None = None) -> SeenPost | None:
        """A post that exists for the caller; None where none does.

        :param password: what the request's header `OPENER` holds. :raises Busy: nobody has time to look at it.
        """

    async def hold(self, post_id: int) -> bool:
        """Whether there is such a post, whoever asks; inside a transaction, before whose end nobody can delete it."""


class CleanComment(NamedTuple):
    """A comment, ready to be stored."""

    html: str
    #: What a reader sees of it.
    text: str
    #: Empty, or one entry that tells what was removed, shaped like a finding of the gate (contract 10).
    warnings: Sequence[dict[str, Any]]


class Sanitizer(Protocol):
    """The sanitiser of posts, for the texts of neighbours."""

    async def comment(self, source: str) -> CleanComment:
        """A comment without all that is no plain formatting; what is clean stays as it is. Runs in a worker.

        :raises FieldErrors: 422, `content` is too complex. :raises Busy: the workers have too much to do.
        """
