"""What posts answer to categories and tags: how many posts they have, and what follows when they are arranged anew."""

from collections.abc import Collection, Mapping

from sqlalchemy import bindparam, delete, exists, false, func, literal_column, or_, select

from cms_categories.api import categories
from cms_host.api import Id, Query, UnitOfWork, insert
from cms_posts import relations
from cms_posts.relations import CATEGORY, TAG
from cms_posts.tables import category_counts, category_links, tag_counts, tag_links

_parent = bindparam("parent_id", type_=Id)
_tag, _into = bindparam("tag_id", type_=Id), bindparam("into_id", type_=Id)

_DROP_INHERITED = Query(
    delete(category_links).where(category_links.c.category_id == _parent, category_links.c.direct.is_(False))
)
_DROP_INHERITED_COUNTS = Query(
    delete(category_counts).where(category_counts.c.category_id == _parent, category_counts.c.direct.is_(False))
)
_copied = ("type", "status", "visibility", "created_at")
_own = category_links.alias("own")
_inherited = (
    select(
        _parent.label("category_id"),
        category_links.c.post_id,
        false().label("direct"),
        *(category_links.c[name] for name in _copied),
    )
    .join(categories, categories.c.id == category_links.c.category_id)
    .where(
        categories.c.parent_id == _parent,
        category_links.c.direct,
        ~exists().where(_own.c.category_id == _parent, _own.c.post_id == category_links.c.post_id),
    )
    .distinct()
)
_INHERIT = Query(insert(category_links).from_select(["category_id", "post_id", "direct", *_copied], _inherited))
_counted = ("direct", "type", "status", "visibility")
_COUNT_INHERITED = Query(
    insert(category_counts).from_select(
        ["category_id", *_counted, "slot", "n"],
        select(
            category_links.c.category_id,
            *(category_links.c[name] for name in _counted),
            literal_column("0"),
            func.count(),
        )
        .where(category_links.c.category_id == _parent, category_links.c.direct.is_(False))
        .group_by(category_links.c.category_id, *(category_links.c[name] for name in _counted)),
    )
)
_other = tag_links.alias("other")
_TAG_INSTEAD = Query(
    insert(tag_links).from_select(
        ["tag_id", "post_id", "direct", *_copied],
        select(_into.label("tag_id"), *(tag_links.c[name] for name in ("post_id", "direct", *_copied))).where(
            tag_links.c.tag_id == _tag,
            ~exists().where(_other.c.tag_id == _into, _other.c.post_id == tag_links.c.post_id),
        ),
    )
)
_DROP_TAG = Query(delete(tag_links).where(tag_links.c.tag_id == _tag))
_DROP_TAG_COUNTS = Query(delete(tag_counts).where(or_(tag_counts.c.tag_id == _tag, tag_counts.c.tag_id == _into)))
_COUNT_TAG = Query(
    insert(tag_counts).from_select(
        ["tag_id", *_counted, "slot", "n"],
        select(tag_links.c.tag_id, *(tag_links.c[name] for name in _counted), literal_column("0"), func.count())
        .where(tag_links.c.tag_id == _into)
        .group_by(tag_links.c.tag_id, *(tag_links.c[name] for name in _counted)),
    )
)


class PostShelves:
    """Provides `Shelves` for categories and `Tagged` for tags.

    Rearranging categories and merging tags is no edit of the posts in them: their `content_modified_at` and their
    reviews stay (docs/api.md).
    """

    def __init__(self, unit: UnitOfWork) -> None:
        self._unit = unit

    async def published_in(self, category_ids: Collection[int]) -> Mapping[int, int]:
        return await relations.published(self._unit.db, CATEGORY, category_ids)

    async def rearrange(self, category_ids: Collection[int]) -> None:
        tx = self._unit.tx
        for each in sorted(category_ids):
            for query in (_DROP_INHERITED, _INHERIT, _DROP_INHERITED_COUNTS, _COUNT_INHERITED):
                await tx.send(query, parent_id=each)

    async def published_with(self, tag_ids: Collection[int]) -> Mapping[int, int]:
        return await relations.published(self._unit.db, TAG, tag_ids)

    async def merge(self, tag_id: int, into_id: int) -> None:
        tx = self._unit.tx
        await tx.send(_TAG_INSTEAD, tag_id=tag_id, into_id=into_id)
        await tx.send(_DROP_TAG, tag_id=tag_id)
        await tx.send(_DROP_TAG_COUNTS, tag_id=tag_id, into_id=into_id)
        await tx.send(_COUNT_TAG, into_id=into_id)
