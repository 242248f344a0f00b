"""Every statement about comments."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Select,
    UnaryExpression,
    bindparam,
    delete,
    exists,
    func,
    literal_column,
    select,
    update,
)
from sqlalchemy.sql.operators import custom_op

from cms_comments.comment import Comment
from cms_comments.tables import comments
from cms_host.api import Id, Paging, Query, Reader, Transaction, insert, one_of
from cms_posts.api import Viewer, posts, read_by, seen_by

_columns = [comments.c[name] for name in Comment._fields]
_comments = select(*_columns)
_by_id = comments.c.id == bindparam("id")
#: Written into the SQL, so that a planner can tell how much they leave.
_APPROVED: ColumnElement[str] = literal_column("'approved'")
_TRASH: ColumnElement[str] = literal_column("'trash'")


class Shape(NamedTuple):
    """What makes two lists one statement with other values."""

    dialect: str
    viewer: Viewer
    #: Whether the list is that of one post.
    of_post: bool = False
    #: Whether the viewer has shown the password of that post.
    opened: bool = False
    #: Statuses that are asked for; none for a viewer who sees but one.
    statuses: int = 0


_FIND = Query(_comments.where(_by_id), Comment)
#: FOR NO KEY UPDATE, for the id stays: others may reply to the comment meanwhile.
_FIND_TO_CHANGE = Query(_comments.where(_by_id).with_for_update(of=comments, key_share=True), Comment)
_FIND_TO_REMOVE = Query(_comments.where(_by_id).with_for_update(of=comments), Comment)
_HOLD = Query(select(comments.c.post_id).where(_by_id).with_for_update(read=True, key_share=True, of=comments))
_ADD = Query(
    insert(comments).values({each.key: bindparam(each.key) for each in _columns[1:]}).returning(*_columns), Comment
)
_SAVE = Query(
    update(comments)
    .where(comments.c.id == bindparam("comment_id"))
    .values({each.key: bindparam(f"new_{each.key}") for each in _columns[1:]})
)
_MOVE_UP = Query(
    update(comments).where(comments.c.parent_id == bindparam("old")).values(parent_id=bindparam("new", type_=Id))
)
_REMOVE = Query(delete(comments).where(_by_id))
_COUNT = Query(select(comments.c.status, func.count().label("n")).group_by(comments.c.status), scans=True)
_EXPIRED = Query(
    select(comments.c.id)
    .where(comments.c.discarded_at.is_not(None), comments.c.discarded_at <= bindparam("before"))
    .order_by(comments.c.discarded_at, comments.c.id)
    .limit(bindparam("most", type_=Id))
)


async def find(db: Reader, comment_id: int) -> Comment | None:
    return await db.first(_FIND, id=comment_id)


async def find_shown(
    db: Reader, comment_id: int, viewer: Viewer, viewer_id: int, *, opened: bool = False
) -> Comment | None:
    """The comment, if the viewer may read it.

    :param opened: whether he has shown the password of its post.
    """
    shape = Shape(db.dialect, viewer, of_post=True, opened=opened)
    return await db.first(_one(shape), id=comment_id, viewer_id=viewer_id)


async def find_page(db: Reader, shape: Shape, paging: Paging, **values: Any) -> tuple[Sequence[Comment], int]:
    """Some comments, newest first, and how many there are.

    :param values: `viewer_id`, and what the shape asks for: `post_id`; `status`, or `statuses` where there are several.
    """
    return await paging.find(db, _total(shape), _page(shape), **values)


async def find_to_change(tx: Transaction, comment_id: int) -> Comment | None:
    """The comment, which nobody else can change or delete until the transaction ends."""
    return await tx.first(_FIND_TO_CHANGE, id=comment_id)


async def find_to_remove(tx: Transaction, comment_id: int) -> Comment | None:
    """The comment, to which nobody can reply, either."""
    return await tx.first(_FIND_TO_REMOVE, id=comment_id)


async def hold(tx: Transaction, comment_id: int) -> int | None:
    """The post of a comment that nobody can delete for good until the transaction ends; None where there is none."""
    post_id: int | None = await tx.value(_HOLD, id=comment_id)
    return post_id


async def add(tx: Transaction, comment: Comment) -> Comment:
    """Store a new comment; gives it with its id."""
    (stored,) = await tx.all(_ADD, **comment._asdict())
    return stored


async def save(tx: Transaction, comment: Comment) -> None:
    values = {f"new_{name}": value for name, value in comment._asdict().items()}
    await tx.send(_SAVE, comment_id=comment.id, **values)


async def remove(tx: Transaction, comment: Comment) -> None:
    """Delete a comment; the replies to it are now to what it replied to."""
    await tx.send(_MOVE_UP, old=comment.id, new=comment.parent_id)
    await tx.send(_REMOVE, id=comment.id)


async def count(db: Reader) -> dict[str, int]:
    """How many there are of each status that there is any of."""
    return dict(await db.all(_COUNT))


async def find_expired(db: Reader, before: int, most: int) -> list[int]:
    """The ids of what was discarded before a moment or at it, that of the longest time first."""
    return [each for (each,) in await db.all(_EXPIRED, before=before, most=most)]


@lru_cache(maxsize=64)
def _one(shape: Shape) -> Query[Comment]:
    return Query({shape.dialect: _comments.where(_by_id, *_shown(shape))}, Comment)


@lru_cache(maxsize=64)
def _page(shape: Shape) -> Query[Comment]:
    ordered = _matching(shape).order_by(comments.c.created_at.desc(), comments.c.id.desc())
    limited = ordered.limit(bindparam("limit", type_=Id)).offset(bindparam("offset", type_=Id))
    return Query({shape.dialect: limited}, Comment, scans=True)


@lru_cache(maxsize=64)
def _total(shape: Shape) -> Query[tuple[Any, ...]]:
    number = func.count().label("total")
    counted = _matching(shape).with_only_columns(number, maintain_column_froms=True)
    return Query({shape.dialect: counted}, scans=True)


def _matching(shape: Shape) -> Select[Any]:
    wanted = [*_shown(shape), *([comments.c.post_id == bindparam("post_id")] if shape.of_post else ())]
    if shape.statuses == 1:
        wanted.append(comments.c.status == bindparam("status"))
    elif shape.statuses:
        wanted.append(one_of(_unindexed(shape.dialect, comments.c.status), "statuses")[shape.dialect])
    return _comments.where(*wanted)


def _shown(shape: Shape) -> list[ColumnElement[bool]]:
    """What a viewer gets to see. Comments are hidden with a post that is in the trash."""
    if shape.viewer == "editor":
        # The trash is looked up once, and mostly holds little: quicker than a look at the post of every comment.
        in_trash = comments.c.post_id.in_(select(posts.c.id).where(posts.c.status == _TRASH))
        return [] if shape.of_post else [~in_trash]
    allowed = (seen_by if shape.opened else read_by)(shape.viewer)
    mine = posts.c.id == comments.c.post_id
    of_readable = exists().select_from(posts).where(mine, posts.c.status != _TRASH, allowed)
    return [comments.c.status == _APPROVED, of_readable]


def _unindexed(dialect: str, column: ColumnElement[Any]) -> ColumnElement[Any]:
    """For SQLite a column that no index knows: of several statuses it would sort all comments instead of walking
    along the order that is asked for."""
    return UnaryExpression(column, operator=custom_op("+")) if dialect == "sqlite" else column
