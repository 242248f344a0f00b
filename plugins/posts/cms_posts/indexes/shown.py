"""Which stored files posts show, against their covers and the images of their outlines."""

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, ScalarSelect, Select, delete, exists, func, literal_column, select

from cms_host.api import Query, Reader, Transaction, UnitOfWork
from cms_posts import used_media
from cms_posts.indexes.laws import MOST, broken, law, some
from cms_posts.indexes.spans import Span, rewrite, spans, within
from cms_posts.tables import outlines, post_media, posts
from cms_posts.used_media import Shown, shown


class _Row(NamedTuple):
    """What a post shows, and what is noted of it, a path on each line; None for nothing."""

    id: int
    featured_image: str
    images: list[str] | None
    noted_cover: str | None
    noted_images: str | None


def _noted(joined: ColumnElement[str], as_cover: bool) -> ScalarSelect[str]:
    of_post = (post_media.c.post_id == posts.c.id, post_media.c.as_cover.is_(as_cover))
    return select(joined).where(*of_post).correlate(posts).scalar_subquery()


def _rows(joined: ColumnElement[str]) -> Select[*tuple[object, ...]]:
    """Posts with what is noted of them; of each dialect's way to join lines."""
    return (
        select(
            posts.c.id,
            posts.c.featured_image,
            outlines.c.images,
            _noted(joined, as_cover=True).label("noted_cover"),
            _noted(joined, as_cover=False).label("noted_images"),
        )
        .select_from(posts.outerjoin(outlines, outlines.c.post_id == posts.c.id))
        .where(within(posts.c.id))
    )


_ROWS = Query(
    {
        "sqlite": _rows(func.group_concat(post_media.c.path, literal_column("char(10)"))),
        "postgresql": _rows(func.string_agg(post_media.c.path, literal_column("chr(10)"))),
    },
    _Row,
    scans=True,
)
_no_post = ~exists().where(posts.c.id == post_media.c.post_id)
_STRAYS = law(
    select(post_media.c.post_id).where(_no_post).distinct(),
    lambda post: f"post_media tells what post {post} shows, and there is none",
)
_DROP_STRAYS = Query(delete(post_media).where(within(post_media.c.post_id), _no_post))


class ShownIndex:
    """Every post is known to show the files that it shows, and no others; also after the site got another address."""

    name = "posts.media"

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url

    async def verify(self, db: Reader) -> Sequence[str]:
        told: list[str] = []
        async for span in spans(db):
            wrong = await self._wrong_in(db, span)
            told += [f"post_media does not have what post {post_id} shows" for post_id, _ in wrong]
            if len(told) > MOST:
                break
        return [*some(told), *await broken(db, [_STRAYS])]

    async def rebuild(self, unit: UnitOfWork, progress: Callable[[int, int], None]) -> None:
        await rewrite(unit, progress, self._mend)

    async def _mend(self, tx: Transaction, span: Span) -> None:
        await tx.execute(_DROP_STRAYS, **span._asdict())
        for post_id, has in await self._wrong_in(tx, span):
            await used_media.forget(tx, post_id)
            await used_media.keep(tx, post_id, has)

    async def _wrong_in(self, db: Reader, span: Span) -> list[tuple[int, Shown]]:
        """Posts of which something else is noted, and what they show."""
        rows = await db.all(_ROWS, **span._asdict())
        return await asyncio.to_thread(_differing, rows, self._base_url)


def _differing(rows: Sequence[_Row], base_url: str) -> list[tuple[int, Shown]]:
    found = []
    for row in rows:
        noted = Shown(_paths(row.noted_cover), _paths(row.noted_images))
        has = shown(row.featured_image, row.images or (), base_url)
        if row.images is None:
            # Nobody knows without an outline; the index of outlines says so, and is mended before this one.
            has = has._replace(images=noted.images)
        if has != noted:
            found.append((row.id, has))
    return found


def _paths(lines: str | None) -> tuple[str, ...]:
    return tuple(sorted(lines.split("\n"))) if lines else ()
