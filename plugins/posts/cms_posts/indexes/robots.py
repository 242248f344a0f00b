"""What is stored of SEO objects for the sitemap, against what was sent."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import select

from cms_host.api import Query, Reader, Transaction, UnitOfWork
from cms_posts import seo_store
from cms_posts.indexes.laws import MOST, some
from cms_posts.indexes.spans import Span, rewrite, spans, within
from cms_posts.robots import Robots, robots_of
from cms_posts.tables import seo


class _Row(NamedTuple):
    """What a client sent, and what is stored of it for robots."""

    post_id: int
    sent: dict[str, Any]
    noindex: bool
    canonical: str | None


_ROWS = Query(select(*seo.c).where(within(seo.c.post_id)), _Row, scans=True)


class RobotsIndex:
    """The sitemap leaves out what was sent to be left out, and nothing else."""

    name = "posts.robots"

    async def verify(self, db: Reader) -> Sequence[str]:
        told: list[str] = []
        async for span in spans(db):
            told += [f"the sitemap knows other words of post {row.post_id} to robots" for row in await _wrong(db, span)]
            if len(told) > MOST:
                break
        return some(told)

    async def rebuild(self, unit: UnitOfWork, progress: Callable[[int, int], None]) -> None:
        await rewrite(unit, progress, _mend)


async def _mend(tx: Transaction, span: Span) -> None:
    for row in await _wrong(tx, span):
        await seo_store.keep(tx, row.post_id, row.sent)


async def _wrong(db: Reader, span: Span) -> list[_Row]:
    rows = await db.all(_ROWS, **span._asdict())
    return [row for row in rows if Robots(bool(row.noindex), row.canonical) != robots_of(row.sent)]
