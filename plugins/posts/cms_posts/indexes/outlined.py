"""What is stored of the posts' contents for those who have no parser, against the contents."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import delete, exists, select

from cms_host.api import Query, Reader, Transaction, UnitOfWork
from cms_posts import store
from cms_posts.indexes.laws import MOST, broken, law, some
from cms_posts.indexes.spans import Span, rewrite, spans, within
from cms_posts.outline import Outline, make_outline, outline_of
from cms_posts.tables import outlines, posts


class _Row(NamedTuple):
    """A post's content, and the outline that is stored for it, if there is one."""

    id: int
    content: str
    text: str | None
    headings: list[Any] | None
    links: list[str] | None
    images: list[str] | None


_ROWS = Query(
    select(posts.c.id, posts.c.content, *outlines.c[1:])
    .select_from(posts.outerjoin(outlines, outlines.c.post_id == posts.c.id))
    .where(within(posts.c.id)),
    _Row,
    scans=True,
)
_no_post = ~exists().where(posts.c.id == outlines.c.post_id)
_STRAYS = law(
    select(outlines.c.post_id).where(_no_post), lambda post: f"there is an outline of post {post}, and no post"
)
_DROP_STRAYS = Query(delete(outlines).where(within(outlines.c.post_id), _no_post))


class OutlineIndex:
    """One outline for each post, such as its content has."""

    name = "posts.outlines"

    async def verify(self, db: Reader) -> Sequence[str]:
        told: list[str] = []
        async for post_id, reason, _ in _wrong(db):
            told.append(f"the outline of post {post_id} {reason}")
            if len(told) > MOST:
                break
        return [*some(told), *await broken(db, [_STRAYS])]

    async def rebuild(self, unit: UnitOfWork, progress: Callable[[int, int], None]) -> None:
        await rewrite(unit, progress, _mend)


async def _mend(tx: Transaction, span: Span) -> None:
    await tx.execute(_DROP_STRAYS, **span._asdict())
    for post_id, _, outline in await _wrong_in(tx, span):
        await store.save_outline(tx, post_id, outline)


async def _wrong(db: Reader) -> AsyncIterator[tuple[int, str, Outline]]:
    async for span in spans(db):
        for each in await _wrong_in(db, span):
            yield each


async def _wrong_in(db: Reader, span: Span) -> list[tuple[int, str, Outline]]:
    """Posts with another outline than theirs: what is wrong with it, and theirs."""
    rows = await db.all(_ROWS, **span._asdict())
    return await asyncio.to_thread(_differing, rows)


def _differing(rows: Sequence[_Row]) -> list[tuple[int, str, Outline]]:
    found = []
    for row in rows:
        outline = make_outline(row.content)
        if row.text is None:
            found.append((row.id, "is missing", outline))
        elif outline_of(row.text, row.headings or (), row.links or (), row.images or ()) != outline:
            found.append((row.id, "is not that of its content", outline))
    return found
