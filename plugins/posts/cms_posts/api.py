"""What neighbours may know of posts."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, NamedTuple, Protocol

from sqlalchemy import column, table

from cms_host.api import Id, UnitOfWork
from cms_posts.addresses import permalink
from cms_posts.gate_reports import GateFigures, gate_figures
from cms_posts.listed_walk import ListedPosts, texts_of
from cms_posts.local_images import cover_path, image_path
from cms_posts.passwords import OPENER, OPENER_DOC
from cms_posts.schemas import NewPost, PostFields, PostWritten
from cms_posts.visible import Looked, Viewer, posts, read_by, seen_by, viewer_of

__all__ = [
    "OPENER",
    "OPENER_DOC",
    "CleanComment",
    "GateFigures",
    "ListedPosts",
    "Looked",
    "NewPost",
    "PostFields",
    "PostWritten",
    "Posts",
    "Sanitizer",
    "SeenPost",
    "Submission",
    "Submissions",
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


class Submission(Protocol):
    """One write of a post, ready to be carried out, by the caller for whom it was made ready."""

    @property
    def is_new(self) -> bool:
        """Whether it makes a post; otherwise it changes one that is stored."""

    def writing(self) -> AbstractAsyncContextManager[UnitOfWork]:
        """The transaction to carry it out in, under the lock that it needs; a refusal of the gate is noted after it.

        What else is written in it stands or falls with the post.
        """

    async def carry_out(self, write: UnitOfWork) -> dict[str, Any]:
        """Write the post; gives the `data` with which `POST /posts` answers: `success`, `id`, `post` and `warnings`.

        :param write: the unit of work that `writing` gave.
        :raises Refused: the gate says no; let it through, for the transaction must end unwritten.
        :raises Conflict: the post was changed meanwhile.
        """


class Submissions(Protocol):
    """The way in for posts that do not come by `POST /posts`: the same service, and the same gate.

    The unit of work's caller is whose role counts and who becomes the author. All of it outside of any transaction::

        ready = await unit.get(Submissions).new(sent, "webhook", status="draft")
        async with ready.writing() as write:
            return write.answer(await ready.carry_out(write), 201)

    `trigger` is a word for what asks: the gate's rules are told, and its reports keep it.
    """

    async def new(self, sent: Mapping[str, Any], trigger: str, *, status: str | None = None) -> Submission:
        """A new post from a JSON object with the fields of `POST /posts`, which are judged as there.

        `categories` may hold names beside ids. For editors and above a category that is missing is made, on top of the
        tree and in the transaction of the post; authors get the warning `unknown_category`.

        :param status: what it is to become, whatever `status` and `scheduled_at` of the object say; where they say
            otherwise there is the warning `discarded`.
        :raises InsufficientRole: the caller writes no posts, or no pages. :raises ApiError: what `POST /posts` refuses.
        """

    async def publish(self, post_id: int, sent: Mapping[str, Any], trigger: str) -> Submission:
        """A stored post, as `POST /posts/{id}/publish` with this body.

        :raises NotFound: there is none to see. :raises ApiError: what that endpoint refuses.
        """

    async def schedule(self, post_id: int, sent: Mapping[str, Any], trigger: str) -> Submission:
        """A stored post, as `POST /posts/{id}/schedule` with this body.

        :raises NotFound: there is none to see. :raises ApiError: what that endpoint refuses.
        """


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
