"""Every statement about what is read most."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, Subquery, TableClause, bindparam, case, cast, func, select

from cms_host.api import Id, Query, Reader
from cms_posts.api import Looked, post_tags, posts, read_by
from cms_stats.api import viewed_by_day, viewed_by_hour
from cms_tags.api import tags
from cms_trends.period import Period, Span


class TrendingPost(NamedTuple):
    """A post, how often it was viewed, and how often in the period before."""

    post_id: int
    title: str
    slug: str
    views: int
    previous_views: int


class TrendingTag(NamedTuple):
    """A tag, and how often the posts that carry it were viewed."""

    id: int
    name: str
    slug: str
    views: int


_first, _limit = bindparam("first", type_=Id), bindparam("limit", type_=Id)
#: Whoever asks, these are the posts that a subscriber may read without a password.
_READABLE = read_by("reader")
_TAGGED = read_by("reader", Looked(post_tags.c.status, post_tags.c.visibility))


def _recent(viewed: TableClause) -> Subquery:
    """Views of every post that has any in the period, and of the same posts in the period before."""
    slot = viewed.c[0]

    def total(within: ColumnElement[bool]) -> ColumnElement[int]:
        return cast(func.sum(case((within, viewed.c.n), else_=0)), Id)

    return (
        select(viewed.c.post_id, total(slot >= _first).label("views"), total(slot < _first).label("previous_views"))
        .where(slot >= bindparam("before", type_=Id), slot <= bindparam("last", type_=Id))
        .group_by(viewed.c.post_id)
        .having(func.max(slot) >= _first)
        .subquery("recent")
    )


def _posts(recent: Subquery) -> Query[TrendingPost]:
    statement = (
        select(posts.c.id.label("post_id"), posts.c.title, posts.c.slug, recent.c.views, recent.c.previous_views)
        .join_from(recent, posts, posts.c.id == recent.c.post_id)
        .where(_READABLE)
        .order_by(recent.c.views.desc(), posts.c.id.desc())
        .limit(_limit)
    )
    return Query(statement, TrendingPost, scans=True)


def _tags(recent: Subquery) -> Query[TrendingTag]:
    views = cast(func.sum(recent.c.views), Id).label("views")
    statement = (
        select(tags.c.id, tags.c.name, tags.c.slug, views)
        .join_from(recent, post_tags, post_tags.c.post_id == recent.c.post_id)
        .join(tags, tags.c.id == post_tags.c.tag_id)
        .where(_TAGGED)
        .group_by(tags.c.id, tags.c.name, tags.c.slug)
        .order_by(views.desc(), tags.c.id.desc())
        .limit(_limit)
    )
    return Query(statement, TrendingTag, scans=True)


#: By whether the period is one of hours.
_RECENT = {True: _recent(viewed_by_hour), False: _recent(viewed_by_day)}
_POSTS = {in_hours: _posts(recent) for in_hours, recent in _RECENT.items()}
_TAGS = {in_hours: _tags(recent) for in_hours, recent in _RECENT.items()}


async def trending_posts(db: Reader, period: Period, span: Span, limit: int) -> Sequence[TrendingPost]:
    """The posts that were viewed most, the newer first among equals."""
    return await db.all(_POSTS[period.in_hours], **span._asdict(), limit=limit)


async def trending_tags(db: Reader, period: Period, span: Span, limit: int) -> Sequence[TrendingTag]:
    """The tags whose posts were viewed most."""
    return await db.all(_TAGS[period.in_hours], **span._asdict(), limit=limit)
