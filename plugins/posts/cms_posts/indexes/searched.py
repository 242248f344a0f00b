"""The folded copy of titles and texts that is searched, against titles and outlines."""

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, FromClause, Select, Text, cast, exists, func, null, select

from cms_host.api import Query, Reader, Transaction, UnitOfWork
from cms_posts import search
from cms_posts.indexes.laws import MOST, some
from cms_posts.indexes.spans import Span, rewrite, spans, within
from cms_posts.search import Said, fts5, searchable
from cms_posts.tables import outlines, posts


class _Row(NamedTuple):
    """What a post says, and what is stored of it, if anything is."""

    post_id: int
    said_title: str
    said_text: str
    title: str | None
    content: str | None
    words: str | None

    @property
    def fault(self) -> str:
        """What is wrong; empty when nothing is."""
        if self.title is None or self.content is None:
            return "is missing from the search index"
        said = Said(self.post_id, self.said_title, self.said_text)
        if search.is_copy(said, self.title, self.content, self.words):
            return ""
        return "is in the search index with other words than its own"


_text = func.coalesce(outlines.c.text, "")
_with_text = posts.outerjoin(outlines, outlines.c.post_id == posts.c.id)
_SAID = Query(
    select(posts.c.id.label("post_id"), posts.c.title, _text.label("text"))
    .select_from(_with_text)
    .where(within(posts.c.id)),
    Said,
    scans=True,
)


def _beside(copy: FromClause, key: ColumnElement[int], words: ColumnElement[str]) -> Select[*tuple[object, ...]]:
    """Posts with their copies; of each dialect's table."""
    return (
        select(
            posts.c.id.label("post_id"),
            posts.c.title.label("said_title"),
            _text.label("said_text"),
            copy.c.title,
            copy.c.content,
            words.label("words"),
        )
        .select_from(_with_text.outerjoin(copy, key == posts.c.id))
        .where(within(posts.c.id))
    )


def _strays(key: ColumnElement[int]) -> Select[*tuple[object, ...]]:
    return select(key.label("post_id")).where(within(key), ~exists().where(posts.c.id == key))


_COPIES = Query(
    {
        "sqlite": _beside(fts5, fts5.c.rowid, cast(null(), Text)),
        "postgresql": _beside(searchable, searchable.c.post_id, cast(searchable.c.words, Text)),
    },
    _Row,
    scans=True,
)
_STRAYS = Query({"sqlite": _strays(fts5.c.rowid), "postgresql": _strays(searchable.c.post_id)}, scans=True)


class SearchIndex:
    """Every post is found by what it says, and nothing else is."""

    name = "posts.search"

    async def verify(self, db: Reader) -> Sequence[str]:
        told: list[str] = []
        async for span in spans(db):
            rows = await db.all(_COPIES, **span._asdict())
            told += await asyncio.to_thread(_faults, rows)
            strays = await db.all(_STRAYS, **span._asdict())
            told += [f"the search index has post {post_id}, and there is none" for (post_id,) in strays]
            if len(told) > MOST:
                break
        return some(told)

    async def rebuild(self, unit: UnitOfWork, progress: Callable[[int, int], None]) -> None:
        await rewrite(unit, progress, _index_again)


def _faults(rows: Sequence[_Row]) -> list[str]:
    return [f"post {row.post_id} {fault}" for row in rows if (fault := row.fault)]


async def _index_again(tx: Transaction, span: Span) -> None:
    for (post_id,) in await tx.all(_STRAYS, **span._asdict()):
        await search.unindex_post(tx, post_id)
    await search.index_many(tx, await tx.all(_SAID, **span._asdict()))
