"""Walking over all posts, some at a time, so that others can write in between."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import NamedTuple

from sqlalchemy import ColumnElement, bindparam, func, select

from cms_host.api import Id, Query, Reader, Transaction, UnitOfWork
from cms_posts.tables import posts

#: Posts of one step.
SIZE = 200
_FIRST, _LAST = -(2**63), 2**63 - 1
_after, _upto = bindparam("after", type_=Id), bindparam("upto", type_=Id)
_END = Query(
    select(posts.c.id).where(posts.c.id > _after).order_by(posts.c.id).limit(1).offset(bindparam("size", type_=Id))
)
_TOTAL = Query(select(func.count().label("total")).select_from(posts), scans=True)
_HOLD = Query(
    select(posts.c.id)
    .where(posts.c.id > _after, posts.c.id <= _upto)
    .order_by(posts.c.id)
    .with_for_update(key_share=True)
)


class Span(NamedTuple):
    """The ids from `after`, which is not among them, to `upto`. All spans together hold every id that can be."""

    after: int
    upto: int


async def spans(db: Reader) -> AsyncIterator[Span]:
    """Spans of few posts each."""
    after = _FIRST
    while (upto := await db.value(_END, after=after, size=SIZE - 1)) is not None:
        yield Span(after, upto)
        after = upto
    yield Span(after, _LAST)


def within(post_id: ColumnElement[int]) -> ColumnElement[bool]:
    """The condition that a post's id is in the span whose `after` and `upto` the statement is given."""
    return (post_id > _after) & (post_id <= _upto)


async def rewrite(
    unit: UnitOfWork,
    progress: Callable[[int, int], None],
    work: Callable[[Transaction, Span], Awaitable[None]],
) -> None:
    """Do the work on every span, each in a transaction of its own in which nobody else changes posts of the span."""
    total = await unit.db.value(_TOTAL)
    done = 0
    async for span in spans(unit.db):
        async with unit.write() as inner:
            held = await inner.tx.all(_HOLD, **span._asdict())
            await work(inner.tx, span)
        done += len(held)
        progress(min(done, total), total)
