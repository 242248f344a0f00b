"""Reading what is published or scheduled, for those who keep something in step with it."""

from collections.abc import Collection

from sqlalchemy import bindparam, func, literal_column, select

from cms_host.api import PostChange, Query, Reader, Transaction, fold, one_of
from cms_posts.post import LISTED, SCHEDULED
from cms_posts.tables import counts, outlines, posts

_STATUSES = [literal_column(f"'{status}'") for status in sorted(LISTED)]
_is_listed = posts.c.status.in_(_STATUSES)


_read = select(posts.c.id, posts.c.status, posts.c.scheduled_at, posts.c.title, outlines.c.text).join_from(
    posts, outlines, outlines.c.post_id == posts.c.id
)
_next = (_is_listed, posts.c.id > bindparam("after_id"))
_WALK = Query(_read.where(*_next).order_by(posts.c.id).limit(bindparam("most")))
_HOLD = Query(
    select(posts.c.id)
    .where(*_next)
    .order_by(posts.c.id)
    .limit(bindparam("most"))
    .with_for_update(of=posts, key_share=True)
)
_READ = Query({dialect: _read.where(each).order_by(posts.c.id) for dialect, each in one_of(posts.c.id, "ids").items()})
_AMONG = Query(
    {
        dialect: select(posts.c.id, posts.c.status).where(each).with_for_update(key_share=True)
        for dialect, each in one_of(posts.c.id, "ids").items()
    }
)
_COUNT = Query(select(func.coalesce(func.sum(counts.c.n), 0).label("n")).where(counts.c.status.in_(_STATUSES)))
_TEXTS = Query(
    {
        dialect: select(outlines.c.post_id, outlines.c.text).where(each)
        for dialect, each in one_of(outlines.c.post_id, "ids").items()
    }
)


class ListedPosts:
    """The published and scheduled posts, for the indexes of `cms_host.api.IndexUpkeep`."""

    async def walk(self, db: Reader, after_id: int, limit: int, *, hold: bool = False) -> list[PostChange]:
        """The next of them, by id, as if each had just been saved anew.

        :param hold: `db` is a transaction, and nobody may change these posts until it ends.
        """
        if hold:
            # In two steps: PostgreSQL reads what it had to wait for anew, but not what is joined with it.
            held = [post_id for (post_id,) in await db.all(_HOLD, after_id=after_id, most=limit)]
            rows = await db.all(_READ, ids=held)
        else:
            rows = await db.all(_WALK, after_id=after_id, most=limit)
        return [
            PostChange(
                post_id=post_id,
                was_listed=True,
                is_listed=True,
                due_at=due_at if status == SCHEDULED else None,
                title=title,
                folded_title=fold(title),
                title_changed=True,
                text=text,
                text_changed=True,
            )
            for post_id, status, due_at, title, text in rows
        ]

    async def among(self, tx: Transaction, ids: Collection[int]) -> set[int]:
        """Those of the posts with these ids that are listed; nobody changes any of them until `tx` ends."""
        return {post_id for post_id, status in await tx.all(_AMONG, ids=ids) if status in LISTED} if ids else set()

    async def count(self, db: Reader) -> int:
        """How many there are."""
        return int(await db.value(_COUNT))


async def texts_of(db: Reader, ids: Collection[int]) -> dict[int, str]:
    """What a reader sees of the content of each of these posts, by id; a post that is gone is left out."""
    return dict(await db.all(_TEXTS, ids=ids))
