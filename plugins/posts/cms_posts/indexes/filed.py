"""The rows that file posts under categories and tags: what they repeat of posts, what is inherited, their numbers."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Select,
    Table,
    and_,
    delete,
    exists,
    false,
    or_,
    select,
    update,
)

from cms_categories.api import TREE_LOCK, categories
from cms_host.api import Query, Reader, Transaction, UnitOfWork, insert
from cms_posts.indexes.counted import Counted
from cms_posts.indexes.laws import Law, broken, law
from cms_posts.indexes.spans import Span, rewrite, within
from cms_posts.relations import CATEGORY, Kind
from cms_posts.tables import category_links, posts
from cms_tags.api import TAGS_LOCK

#: What a link repeats of its post.
_COPIED = ("type", "status", "visibility", "created_at")


class FiledIndex:
    """The links of one kind, and their numbers. Which posts are filed where directly is told by nothing else."""

    def __init__(self, name: str, kind: Kind) -> None:
        self.name = name
        self._lock = TREE_LOCK if kind is CATEGORY else TAGS_LOCK
        self._counted = Counted(kind.links, kind.counts)
        self._laws = [_of_something(kind), _as_its_post(kind.links), self._counted.law]
        self._repairs = [
            Query(delete(kind.links).where(within(kind.links.c.post_id), _is_stray(kind))),
            Query(_copies_anew(kind.links)),
        ]
        if kind is CATEGORY:
            self._laws += _inheritance()
            self._repairs += _inheriting()

    async def verify(self, db: Reader) -> Sequence[str]:
        return await broken(db, self._laws)

    async def rebuild(self, unit: UnitOfWork, progress: Callable[[int, int], None]) -> None:
        """The numbers last, in one transaction."""
        await rewrite(unit, progress, self._mend)
        async with unit.write() as inner:
            await self._counted.count_anew(inner.tx)

    async def _mend(self, tx: Transaction, span: Span) -> None:
        await tx.share_lock(self._lock)
        for repair in self._repairs:
            await tx.execute(repair, **span._asdict())


def _is_stray(kind: Kind) -> ColumnElement[bool]:
    of_post = exists().where(posts.c.id == kind.links.c.post_id)
    return ~and_(of_post, exists().where(kind.terms.c.id == kind.term))


def _of_something(kind: Kind) -> Law:
    def tell(term: int, post: int) -> str:
        return f"{kind.links.name} files post {post} under {term}: one of them is gone"

    return law(select(kind.term, kind.links.c.post_id).where(_is_stray(kind)), tell)


def _differs(links: Table) -> ColumnElement[bool]:
    return or_(*(links.c[name] != posts.c[name] for name in _COPIED))


def _as_its_post(links: Table) -> Law:
    def tell(term: int, post: int) -> str:
        return f"{links.name} has other values for post {post} under {term} than the post has"

    both = links.join(posts, posts.c.id == links.c.post_id)
    return law(select(links.c[0], links.c.post_id).select_from(both).where(_differs(links)), tell)


def _copies_anew(links: Table) -> Any:
    its_post = posts.c.id == links.c.post_id
    return (
        update(links)
        .where(within(links.c.post_id), exists().where(its_post, _differs(links)).correlate(links))
        .values({name: select(posts.c[name]).where(its_post).correlate(links).scalar_subquery() for name in _COPIED})
    )


_own, _child = category_links.alias("own"), category_links.alias("child")


def _under_children() -> FromClause:
    return _child.join(categories, categories.c.id == _child.c.category_id)


def _missing(*columns: Any, source: FromClause) -> Select[Any]:
    """Parents of the categories that posts are in, where these are not listed."""
    listed = exists().where(_own.c.category_id == categories.c.parent_id, _own.c.post_id == _child.c.post_id)
    return select(*columns).select_from(source).where(_child.c.direct, categories.c.parent_id.is_not(None), ~listed)


def _is_unfounded() -> ColumnElement[bool]:
    """A category lists a post that is in none of its children any more."""
    founded = (
        exists()
        .select_from(_under_children())
        .where(
            categories.c.parent_id == category_links.c.category_id,
            _child.c.post_id == category_links.c.post_id,
            _child.c.direct,
        )
        .correlate(category_links)
    )
    return and_(category_links.c.direct.is_(False), ~founded)


def _inheritance() -> Iterator[Law]:
    """A category lists its own posts and those of its direct children, each once, and no others."""
    pair = (categories.c.parent_id, _child.c.post_id)
    yield law(
        _missing(*pair, source=_under_children()).distinct(),
        lambda term, post: f"post_categories lacks post {post} under {term}, a child of which it is in",
    )
    yield law(
        select(category_links.c.category_id, category_links.c.post_id).where(_is_unfounded()),
        lambda term, post: f"post_categories has post {post} under {term}, no child of which it is in",
    )


def _inheriting() -> Iterator[Query[Any]]:
    yield Query(delete(category_links).where(within(category_links.c.post_id), _is_unfounded()))
    with_posts = _under_children().join(posts, posts.c.id == _child.c.post_id)
    columns = (categories.c.parent_id, posts.c.id, false(), *(posts.c[name] for name in _COPIED))
    found = _missing(*columns, source=with_posts).where(within(_child.c.post_id)).distinct()
    yield Query(insert(category_links).from_select(["category_id", "post_id", "direct", *_COPIED], found))
