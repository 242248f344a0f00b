"""Every statement about revisions."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import bindparam, delete, func, select

from cms_host.api import Id, Paging, Query, Reader, Transaction, insert, one_of
from cms_posts.tables import revisions
from cms_tags.api import tags
from cms_users.api import authors


class Revision(NamedTuple):
    """What readers saw of a post before a change. The moment is in microseconds since the epoch."""

    id: int
    post_id: int
    editor_id: int | None
    created_at: int
    changed_fields: list[str]
    title: str
    slug: str
    excerpt: str
    #: `featured_image`, `sources`, `ai_disclosure`, and the ids of `categories` and `tags`.
    facing: dict[str, Any]
    content: str
    editor_name: str = ""


_columns = [revisions.c[name] for name in Revision._fields if name != "editor_name"]
_REVISION = select(*_columns, func.coalesce(authors.c.name, "").label("editor_name")).select_from(
    revisions.outerjoin(authors, authors.c.id == revisions.c.editor_id)
)
_of_post = revisions.c.post_id == bindparam("post_id")
_PAGE = Query(
    _REVISION.where(_of_post)
    .order_by(revisions.c.id.desc())
    .limit(bindparam("limit", type_=Id))
    .offset(bindparam("offset", type_=Id)),
    Revision,
)
_TOTAL = Query(select(func.count().label("total")).select_from(revisions).where(_of_post))
_FIND = Query(_REVISION.where(_of_post, revisions.c.id == bindparam("id")), Revision)
_INSERT = Query(insert(revisions).values({each.key: bindparam(each.key) for each in _columns[1:]}))
_older = revisions.alias("older")
_FORGET = Query(
    delete(revisions).where(
        _of_post,
        revisions.c.id
        <= select(_older.c.id)
        .where(_older.c.post_id == bindparam("post_id"))
        .order_by(_older.c.id.desc())
        .limit(1)
        .offset(bindparam("kept", type_=Id))
        .scalar_subquery(),
    )
)
_TAG_NAMES = Query(
    {
        dialect: select(tags.c.id, tags.c.name).where(condition).order_by(tags.c.id)
        for dialect, condition in one_of(tags.c.id, "ids").items()
    }
)


async def find_page(db: Reader, post_id: int, paging: Paging) -> list[Revision]:
    """The revisions of a post on one page, newest first."""
    return await db.all(_PAGE, post_id=post_id, limit=paging.per_page, offset=paging.offset)


async def count(db: Reader, post_id: int) -> int:
    """How many revisions of a post are kept."""
    total: int = await db.value(_TOTAL, post_id=post_id)
    return total


async def find(db: Reader, post_id: int, revision_id: int) -> Revision | None:
    """A revision, if it is one of this post."""
    return await db.first(_FIND, post_id=post_id, id=revision_id)


async def add(tx: Transaction, revision: Revision, kept: int) -> None:
    """Store a revision, whose id is given here, and forget those of its post beyond the newest `kept`."""
    await tx.send(_INSERT, **revision._asdict())
    await tx.send(_FORGET, post_id=revision.post_id, kept=kept)


async def tag_names(db: Reader, ids: Iterable[int]) -> dict[int, str]:
    """The names of those of the tags that there still are, by id."""
    return dict(await db.all(_TAG_NAMES, ids=ids))
