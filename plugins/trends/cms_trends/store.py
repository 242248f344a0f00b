"""Every statement about what is read most."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, Select, Subquery, TableClause, bindparam, cast, func, select

from cms_host.api import Id, Query, Reader, one_of
from cms_posts.api import Looked, post_tags, posts, read_by
from cms_stats.api import viewed_by_day, viewed_by_hour
from cms_tags.api import tags
from cms_trends.period import Period, Span


class Ranked(NamedTuple):
    """How often a post was viewed in a period; it may be hidden, or gone."""

    post_id: int
    views: int


class ShownPost(NamedTuple):
    """A post that may be told of."""

    id: int
    title: str
    slug: str


class TrendingTag(NamedTuple):
    """A tag, and how often the posts that carry it were viewed."""

    id: int
    name: str
    slug: str
    views: int


_limit = bindparam("limit", type_=Id)
#: Whoever asks, these are the posts that a subscriber may read without a password.
_READABLE = read_by("reader")
_TAGGED = read_by("reader", Looked(post_tags.c.status, post_tags.c.visibility))


def _total(n: ColumnElement[int]) -> ColumnElement[int]:
    return cast(func.sum(n), Id)


def _recent(viewed: TableClause) -> Select[tuple[int, int]]:
    """Views of every post that has any in the period."""
    slot = viewed.c[0]
    return (
        select(viewed.c.post_id, _total(viewed.c.n).label("views"))
        .where(slot >= bindparam("first", type_=Id), slot <= bindparam("last", type_=Id))
        .group_by(viewed.c.post_id)
    )


def _ranking(viewed: TableClause) -> Query[Ranked]:
    recent = _recent(viewed).subquery("recent")
    ranked = select(*recent.c).order_by(recent.c.views.desc(), recent.c.post_id.desc()).limit(_limit)
    return Query(ranked, Ranked, scans=True)


def _before(viewed: TableClause) -> Query[tuple[int, int]]:
    """Views of some posts on some days or in some hours: all named, for that is how the primary key finds them."""
    slots, ids = one_of(viewed.c[0], "slots"), one_of(viewed.c.post_id, "ids")
    found = select(viewed.c.post_id, _total(viewed.c.n).label("views")).group_by(viewed.c.post_id)
    return Query({dialect: found.where(slots[dialect], ids[dialect]) for dialect in ids}, scans=True)


def _tagged(viewed: TableClause) -> Query[TrendingTag]:
    by_tag = _by_tag(_recent(viewed).subquery("recent"))
    statement = (
        select(tags.c.id, tags.c.name, tags.c.slug, by_tag.c.views)
        .join_from(by_tag, tags, tags.c.id == by_tag.c.tag_id)
        .order_by(by_tag.c.views.desc(), tags.c.id.desc())
        .limit(_limit)
    )
    return Query(statement, TrendingTag, scans=True)


def _by_tag(recent: Subquery) -> Subquery:
    """Names are looked up afterwards: the sums have one row for each tag, what they are made of one for each post."""
    return (
        select(post_tags.c.tag_id, _total(recent.c.views).label("views"))
        .join_from(recent, post_tags, post_tags.c.post_id == recent.c.post_id)
        .where(_TAGGED)
        .group_by(post_tags.c.tag_id)
        .subquery("by_tag")
    )


_SHOWN = Query(
    {
        dialect: select(posts.c.id, posts.c.title, posts.c.slug).where(condition, _READABLE)
        for dialect, condition in one_of(posts.c.id, "ids").items()
    },
    ShownPost,
    scans=True,
)
#: By whether the period is one of hours.
_VIEWED = {True: viewed_by_hour, False: viewed_by_day}
_RANKING = {in_hours: _ranking(viewed) for in_hours, viewed in _VIEWED.items()}
_BEFORE = {in_hours: _before(viewed) for in_hours, viewed in _VIEWED.items()}
_TAGS = {in_hours: _tagged(viewed) for in_hours, viewed in _VIEWED.items()}


async def ranking(db: Reader, period: Period, span: Span, limit: int) -> Sequence[Ranked]:
    """The posts that were viewed most, the newer first among equals, whether they may be told of or not."""
    return await db.all(_RANKING[period.in_hours], first=span.first, last=span.last, limit=limit)


async def shown(db: Reader, post_ids: Collection[int]) -> Mapping[int, ShownPost]:
    """Those of the posts that may be told of, by their ids."""
    return {post.id: post for post in await db.all(_SHOWN, ids=post_ids)}


async def views_before(db: Reader, period: Period, span: Span, post_ids: Collection[int]) -> Mapping[int, int]:
    """How often the posts were viewed in the period before; those that were not at all are left out."""
    slots = range(span.before, span.first)
    return dict(await db.all(_BEFORE[period.in_hours], slots=slots, ids=post_ids)) if post_ids else {}


async def trending_tags(db: Reader, period: Period, span: Span, limit: int) -> Sequence[TrendingTag]:
    """The tags whose posts were viewed most."""
    return await db.all(_TAGS[period.in_hours], first=span.first, last=span.last, limit=limit)
