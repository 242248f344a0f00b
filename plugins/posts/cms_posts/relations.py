"""Which categories and tags a post has: the statements, and the counts that follow them.

A category lists the posts of its direct children too (spec, GET /posts), so these have a row under it as well, which
is not `direct`. Locks are taken in one order everywhere: the post, the tree of categories, the tags, slugs, the counts
of posts, links, the counts of categories, those of tags.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, Table, bindparam, delete, func, literal_column, select, union_all, update

from cms_categories.api import TREE_LOCK, categories
from cms_host.api import Asked, Query, Reader, Transaction, insert, one_of
from cms_posts.kept_counts import KeptCounts
from cms_posts.post import Post
from cms_posts.tables import category_counts, category_links, tag_counts, tag_links
from cms_tags.api import TAGS_LOCK, tags


class Relations(NamedTuple):
    """Ids of the categories and tags of one post, in ascending order."""

    categories: tuple[int, ...] = ()
    tags: tuple[int, ...] = ()
    #: Categories that list the post because it is in a child of theirs.
    parents: tuple[int, ...] = ()


NONE = Relations()


class _Link(NamedTuple):
    """One row under a category or tag."""

    term_id: int
    direct: bool


class Kind:
    """One kind of term: its tables, and the statements on them."""

    def __init__(self, links: Table, counts: Table, terms: Any) -> None:
        self.links, self.counts, self.terms = links, counts, terms
        self.term, self.count_term = links.c[0], counts.c[0]
        key = self.term.key
        row = {each.key: bindparam(each.key) for each in links.c}
        self.add = Query(insert(links).values({**row, key: bindparam("term_id")}))
        self.remove = Query(delete(links).where(links.c.post_id == bindparam("which")))
        self.move = Query(
            update(links)
            .where(links.c.post_id == bindparam("which"))
            .values({name: bindparam(f"new_{name}") for name in ("type", "status", "visibility")})
        )
        self.kept = KeptCounts(counts)
        self.published = _each_dialect(
            select(self.count_term.label("id"), func.sum(counts.c.n).label("n"))
            .where(counts.c.direct, counts.c.status == literal_column("'published'"))
            .group_by(self.count_term),
            self.count_term,
        )


def _each_dialect(statement: Select[Any], compared: ColumnElement[Any]) -> Query[Any]:
    return Query({dialect: statement.where(each) for dialect, each in one_of(compared, "ids").items()})


CATEGORY = Kind(category_links, category_counts, categories)
TAG = Kind(tag_links, tag_counts, tags)


def _links_of(kind: Kind, name: str) -> Select[Any]:
    columns = (literal_column(f"'{name}'").label("kind"), kind.term.label("term_id"), kind.links.c.direct)
    return select(*columns).where(kind.links.c.post_id == bindparam("post_id"))


def _records_of(kind: Kind, name: str, wanted: ColumnElement[bool]) -> Select[Any]:
    columns = (literal_column(f"'{name}'").label("kind"), kind.terms.c.id, kind.terms.c.name, kind.terms.c.slug)
    joined = kind.links.join(kind.terms, kind.terms.c.id == kind.term)
    return select(kind.links.c.post_id, *columns).select_from(joined).where(kind.links.c.direct, wanted)


_FIND = Query(union_all(_links_of(CATEGORY, "category"), _links_of(TAG, "tag")).order_by("term_id"))
_RECORDS = Query(
    {
        dialect: union_all(
            _records_of(CATEGORY, "categories", one_of(category_links.c.post_id, "ids")[dialect]),
            _records_of(TAG, "tags", one_of(tag_links.c.post_id, "ids")[dialect]),
        ).order_by("id")
        for dialect in ("sqlite", "postgresql")
    }
)


async def hold(tx: Transaction, post_id: int, found: Relations) -> Relations:
    """What a post is filed under: none of it can be moved, merged or deleted before the transaction ends.

    :param found: what it was filed under a moment ago, in this transaction.
    """
    if found == NONE or tx.dialect == "sqlite":
        return found
    for lock in (TREE_LOCK, TAGS_LOCK):
        await tx.share_lock(lock)
    return await find(tx, post_id)


async def find(db: Reader, post_id: int) -> Relations:
    """What a post is filed under."""
    return filed(await db.all(_FIND, post_id=post_id))


def to_find(post_id: int) -> Asked:
    """Asks for the rows of what a post is filed under."""
    return _FIND, {"post_id": post_id}


def filed(rows: Sequence[Any]) -> Relations:
    """What these rows say a post is filed under."""
    return Relations(
        categories=tuple(term for kind, term, direct in rows if kind == "category" and direct),
        tags=tuple(term for kind, term, _ in rows if kind == "tag"),
        parents=tuple(term for kind, term, direct in rows if kind == "category" and not direct),
    )


async def find_records(db: Reader, post_ids: Sequence[int]) -> dict[int, dict[str, list[dict[str, Any]]]]:
    """`categories` and `tags` of each of the posts as clients see them, by post id; one statement for all."""
    found: dict[int, dict[str, list[dict[str, Any]]]] = {each: {"categories": [], "tags": []} for each in post_ids}
    for post_id, kind, term_id, name, slug in await db.all(_RECORDS, ids=post_ids):
        found[post_id][kind].append({"id": term_id, "name": name, "slug": slug})
    return found


async def add(tx: Transaction, post: Post, relations: Relations) -> None:
    """File a new post."""
    for kind, links in _both(relations):
        await tx.execute_many(kind.add, [_row(post, each) for each in links])
        await kind.kept.add(tx, Counter(_counted(post, each) for each in links))


async def add_many(tx: Transaction, filed: Sequence[tuple[Post, Relations]]) -> None:
    """File many new posts."""
    for number, kind in enumerate((CATEGORY, TAG)):
        links = [(post, link) for post, has in filed for link in list(_both(has))[number][1]]
        await tx.execute_many(kind.add, [_row(*each) for each in links])
        await kind.kept.add(tx, Counter(_counted(*each) for each in links))


async def change(tx: Transaction, before: Post, had: Relations, after: Post, has: Relations) -> None:
    """Bring links and counts from what a post was to what it is."""
    moved = _filed_as(before) != _filed_as(after)
    for (kind, old), (_, new) in zip(_both(had), _both(has), strict=True):
        if old != new:
            await tx.send(kind.remove, which=after.id)
            await tx.execute_many(kind.add, [_row(after, each) for each in new])
        elif old and moved:
            await tx.send(kind.move, which=after.id, **_new_values(after))
        if old != new or moved:
            changes = Counter(_counted(after, each) for each in new)
            changes.subtract(_counted(before, each) for each in old)
            await kind.kept.add(tx, changes)


async def remove(tx: Transaction, post: Post, relations: Relations) -> None:
    """Take a post out of everything."""
    await change(tx, post, relations, post, NONE)


async def published(db: Reader, kind: Kind, ids: Collection[int]) -> Mapping[int, int]:
    """How many published posts each term has itself; without those that have none."""
    return {term_id: int(n) for term_id, n in await db.all(kind.published, ids=ids) if n}


def _both(relations: Relations) -> Iterator[tuple[Kind, list[_Link]]]:
    in_categories = [_Link(each, True) for each in relations.categories]
    yield CATEGORY, sorted([*in_categories, *(_Link(each, False) for each in relations.parents)])
    yield TAG, [_Link(each, True) for each in relations.tags]


def _filed_as(post: Post) -> tuple[str, str, str]:
    return post.type, post.status, post.visibility


def _new_values(post: Post) -> dict[str, str]:
    return {"new_type": post.type, "new_status": post.status, "new_visibility": post.visibility}


def _row(post: Post, link: _Link) -> dict[str, Any]:
    return {
        **link._asdict(),
        "post_id": post.id,
        "type": post.type,
        "status": post.status,
        "visibility": post.visibility,
        "created_at": post.created_at,
    }


def _counted(post: Post, link: _Link) -> tuple[Any, ...]:
    return *link, *_filed_as(post)
