"""Comments, and what may happen to them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cms_comments import store
from cms_comments.author import plain_name, valid_address, valid_ip
from cms_comments.comment import APPROVED, DISCARDED, LISTED, PENDING, TRASH, Comment
from cms_comments.events import CommentCreated
from cms_comments.settings import AUTO_APPROVE
from cms_host.api import Conflict, FieldError, FieldErrors, NotFound, Paging, UnitOfWork, emit
from cms_posts.api import Posts, Sanitizer, SeenPost, viewer_of

#: Held by whoever deletes comments for good: that touches the replies to them, whose order is anyone's.
REMOVE_LOCK = "comments.remove"


class CommentsClosed(Conflict):
    """Comments on this post are closed"""


class PostInTrash(Conflict):
    """The post is in the trash"""


@dataclass(frozen=True, slots=True)
class Sent:
    """A body whose fields are ready to be stored, under the names of `Comment`."""

    values: Mapping[str, Any]
    #: What the sanitiser removed.
    warnings: Sequence[dict[str, Any]] = ()


class CommentService:
    """Comments, as the unit of work's caller may see and change them."""

    def __init__(self, unit: UnitOfWork) -> None:
        self._unit = unit

    async def page(
        self, paging: Paging, post_id: int | None, statuses: Sequence[str], password: str | None
    ) -> tuple[Sequence[Comment], int]:
        """Some of what the caller may see, newest first, and how many there are.

        :param post_id: of this post alone. :param statuses: with one of these; none of them leaves the choice to us.
        :param password: what the request shows to open the post.
        """
        principal = self._unit.principal
        viewer, wanted = viewer_of(principal), statuses or LISTED
        if viewer != "editor":
            if APPROVED not in wanted:
                return [], 0
            wanted = ()
        opened = viewer != "editor" and post_id is not None and await self._is_opened(post_id, password)
        shape = store.Shape(self._unit.db.dialect, viewer, post_id is not None, opened, len(wanted))
        values = {"post_id": post_id, "statuses": wanted, "status": wanted[0] if wanted else None}
        return await store.find_page(self._unit.db, shape, paging, viewer_id=principal.user_id, **values)

    async def read(self, comment_id: int, password: str | None = None) -> Comment:
        """One comment that the caller may see.

        :param password: what the request shows to open the post. :raises NotFound: there is none.
        """
        db, principal = self._unit.db, self._unit.principal
        viewer = viewer_of(principal)
        found = await store.find_shown(db, comment_id, viewer, principal.user_id)
        if found is None and password:
            found = await store.find_shown(db, comment_id, viewer, principal.user_id, opened=True)
            if found is not None and not await self._is_opened(found.post_id, password):
                found = None
        if found is None:
            raise NotFound
        return found

    async def count(self) -> Mapping[str, int]:
        """How many there are, whoever sees them, by those statuses that any has."""
        return await store.count(self._unit.db)

    async def prepare(self, body: Mapping[str, Any]) -> Sent:
        """The fields of a body as they are stored; outside of any transaction, for content takes a worker.

        :param body: fields of `NewComment` or `CommentChanges`.
        :raises FieldErrors: one of them can't be.
        """
        values = {name: body[name] for name in ("post_id", "parent_id", "status") if name in body}
        for name, valid in (("author_name", plain_name), ("author_email", valid_address), ("author_ip", valid_ip)):
            if name in body:
                values[name] = valid(body[name])
        if "content" not in body:
            return Sent(values)
        clean = await self._unit.get(Sanitizer).comment(body["content"])
        if not clean.text.strip():
            raise FieldErrors([FieldError("content", "Nothing is left of it once it is sanitised.")])
        return Sent({**values, "content": clean.html.strip()}, clean.warnings)

    async def create(self, sent: Sent, address: str) -> Comment:
        """Make a comment, inside a transaction: the only place where one comes to be.

        :param address: whom the request is from.
        :raises FieldErrors: 422, there is no such post, or no such comment on it to reply to.
        :raises CommentsClosed: the post takes none. :raises PostInTrash: nobody would see it.
        """
        unit, values = self._unit, sent.values
        post = await self._commented(values["post_id"])
        parent_id = values.get("parent_id")
        if parent_id is not None and await store.hold(unit.tx, parent_id) != post.id:
            raise FieldErrors([FieldError("parent_id", "There is no comment with this id on the post.")], 422)
        new = Comment(
            id=0,
            post_id=post.id,
            parent_id=parent_id,
            status=APPROVED if unit.host.settings[AUTO_APPROVE] else PENDING,
            author_name=values.get("author_name", unit.principal.name),
            author_email=values.get("author_email", ""),
            author_ip=values.get("author_ip", address),
            created_at=unit.host.clock.now(),
            discarded_at=None,
            content=values["content"],
        )
        comment = await store.add(unit.tx, new)
        await emit(unit, CommentCreated(comment.id, comment.post_id, comment.author_name, comment.status))
        return comment

    async def change(self, comment_id: int, changes: Mapping[str, Any]) -> Comment:
        """Change a comment, inside a transaction; a write that changes nothing stores nothing.

        :param changes: new values of fields of a `Comment`. :raises NotFound: there is none.
        """
        before = await store.find_to_change(self._unit.tx, comment_id)
        if before is None:
            raise NotFound
        after = before._replace(**changes)
        if after.status != before.status:
            now = self._unit.host.clock.now()
            after = after._replace(discarded_at=now if after.status in DISCARDED else None)
        if after != before:
            await store.save(self._unit.tx, after)
        return after

    async def trash(self, comment_id: int) -> None:
        """To the trash. :raises NotFound: there is none."""
        await self.change(comment_id, {"status": TRASH})

    async def delete(self, comment_id: int, discarded_before: int | None = None) -> None:
        """For good, inside a transaction that holds `REMOVE_LOCK`; the replies to it move up.

        :param discarded_before: only if it has been in the trash, or spam, since then.
        :raises NotFound: there is none, or not there.
        """
        found = await store.find(self._unit.tx, comment_id)
        # The post first, as wherever both are held: whoever deletes it deletes its comments.
        if found is None or not await self._unit.get(Posts).hold(found.post_id):
            raise NotFound
        comment = await store.find_to_remove(self._unit.tx, comment_id)
        if comment is None or not _is_discarded(comment, discarded_before):
            raise NotFound
        await store.remove(self._unit.tx, comment)

    async def _commented(self, post_id: int) -> SeenPost:
        """The post that a new comment is to be on, which stays until the transaction ends."""
        posts = self._unit.get(Posts)
        post = await posts.seen(post_id) if await posts.hold(post_id) else None
        if post is None:
            raise FieldErrors([FieldError("post_id", "There is no post with this id.")], 422)
        if post.status == "trash":
            raise PostInTrash
        if post.comment_status == "closed":
            raise CommentsClosed
        return post

    async def _is_opened(self, post_id: int, password: str | None) -> bool:
        """Whether the password that was shown opens the post, or none is needed."""
        post = await self._unit.get(Posts).seen(post_id, password) if password else None
        return post is not None and post.is_open


def _is_discarded(comment: Comment, before: int | None) -> bool:
    return before is None or (comment.discarded_at is not None and comment.discarded_at <= before)
