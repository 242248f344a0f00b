"""Damage done to what posts keep beside the posts, and what the indexes say of it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import bindparam, delete, insert, update

from cms_host.api import Host, Query
from cms_host.testing import Client, Site
from cms_posts.search import fts5, searchable
from cms_posts.tables import (
    category_counts,
    category_links,
    counts,
    outlines,
    post_media,
    slugs,
    tag_counts,
    tag_links,
)
from cms_posts.testing import CONTENT, created


class Damage(NamedTuple):
    """Something done to the tables behind the service's back, and what is said of it."""

    index: str
    query: Query[Any]
    #: With the id of the post in its place.
    told: str


_post = bindparam("post")
_child_link = category_links.c.direct
_copy = {"sqlite": (fts5, fts5.c.rowid), "postgresql": (searchable, searchable.c.post_id)}


def in_search(make: Any) -> Query[Any]:
    return Query({dialect: make(*found) for dialect, found in _copy.items()})


DAMAGES = {
    "outline gone": Damage(
        "posts.outlines",
        Query(delete(outlines).where(outlines.c.post_id == _post)),
        "the outline of post {} is missing",
    ),
    "outline of other content": Damage(
        "posts.outlines",
        Query(update(outlines).where(outlines.c.post_id == _post).values(headings=[[1, "Nothing of it"]])),
        "the outline of post {} is not that of its content",
    ),
    "shown image gone": Damage(
        "posts.media",
        Query(delete(post_media).where(post_media.c.post_id == _post, ~post_media.c.as_cover)),
        "post_media does not have what post {} shows",
    ),
    "shown cover of another": Damage(
        "posts.media",
        Query(update(post_media).where(post_media.c.post_id == _post, post_media.c.as_cover).values(path="b.jpg")),
        "post_media does not have what post {} shows",
    ),
    "shown cover too many": Damage(
        "posts.media",
        Query(insert(post_media).values(post_id=_post, as_cover=True, path="b.jpg")),
        "post_media does not have what post {} shows",
    ),
    "slug gone": Damage(
        "posts.slugs",
        Query(delete(slugs).where(slugs.c.post_id == _post)),
        "the slug a-walk-along-the-harbour of post {} is not kept as its own",
    ),
    "slug taken for a former one": Damage(
        "posts.slugs",
        Query(update(slugs).where(slugs.c.post_id == _post).values(current=False)),
        "the slug a-walk-along-the-harbour of post {} is not kept as its own",
    ),
    "slug kept for no post": Damage(
        "posts.slugs",
        Query(insert(slugs).values(slug="left-behind", post_id=_post + 100, current=False)),
        "the slug left-behind is kept for post 1{:02}, which does not have it",
    ),
    "slug kept for nobody": Damage(
        "posts.slugs",
        Query(insert(slugs).values(slug="left-behind", post_id=None, current=True)),
        "the slug left-behind is kept for post None, which does not have it",
    ),
    "two slugs at once": Damage(
        "posts.slugs",
        Query(insert(slugs).values(slug="another-one", post_id=_post, current=True)),
        "the slug another-one is kept for post {}, which does not have it",
    ),
    "total too high": Damage(
        "posts.totals",
        Query(update(counts).where(counts.c.status == "published", counts.c.n > 0).values(n=7)),
        "post_counts has 7 for type post, status published, visibility public, and there are 1",
    ),
    "total gone": Damage(
        "posts.totals",
        Query(delete(counts)),
        "post_counts has 0 for type post, status published, visibility public, and there are 1",
    ),
    "category's number gone": Damage(
        "posts.categories",
        Query(delete(category_counts).where(category_counts.c.direct)),
        "post_category_counts has 0 for category_id 2, direct True, type post, status published, visibility public, "
        "and there are 1",
    ),
    "category's copy of the post": Damage(
        "posts.categories",
        Query(update(category_links).where(category_links.c.post_id == _post, _child_link).values(status="draft")),
        "post_categories has other values for post {} under 2 than the post has",
    ),
    "parent lost the post": Damage(
        "posts.categories",
        Query(delete(category_links).where(category_links.c.post_id == _post, ~_child_link)),
        "post_categories lacks post {} under 1, a child of which it is in",
    ),
    "tag's number too high": Damage(
        "posts.tags",
        Query(update(tag_counts).values(n=tag_counts.c.n + 1)),
        "post_tag_counts has 2 for tag_id 1, direct True, type post, status published, visibility public, "
        "and there are 1",
    ),
    "tag's copy of the post": Damage(
        "posts.tags",
        Query(update(tag_links).where(tag_links.c.post_id == _post).values(created_at=5)),
        "post_tags has other values for post {} under 1 than the post has",
    ),
    "search lost the post": Damage(
        "posts.search",
        in_search(lambda copy, key: delete(copy).where(key == _post)),
        "post {} is missing from the search index",
    ),
    "search has an old text": Damage(
        "posts.search",
        in_search(lambda copy, key: update(copy).where(key == _post).values(content="what it said before")),
        "post {} is in the search index with other words than its own",
    ),
    "search has an old title": Damage(
        "posts.search",
        in_search(lambda copy, key: update(copy).where(key == _post).values(title="what it was called")),
        "post {} is in the search index with other words than its own",
    ),
    "parent kept the post": Damage(
        "posts.categories",
        Query(delete(category_links).where(category_links.c.post_id == _post, _child_link)),
        "post_categories has post {} under 1, no child of which it is in",
    ),
}
GHOST = Query({"sqlite": insert(fts5).values(rowid=_post + 5, title="ghost", content="ghost")})
OTHER_WORDS = Query({"postgresql": update(searchable).where(searchable.c.post_id == _post).values(words="'sea':1A")})
#: What one damage entails elsewhere, where the rows agree among themselves again only after another index's turn.
ALSO = {
    "parent lost the post": "post_category_counts",
    "parent kept the post": "post_category_counts",
    "category's copy of the post": "post_category_counts",
}
#: A slug that was added is a former one from then on, and of a link that is gone nothing is left.
UNKNOWABLE = ("two slugs at once", "parent kept the post")


async def filed_post(editor: Client) -> int:
    """A published post with all that can hang on one, in a category below another; what it shows is not stored."""
    await editor.site.set(**{"gate.broken_local_image.mode": "off"})
    for body in ({"name": "Coast"}, {"name": "Harbours", "parent_id": 1}):
        assert (await editor.post("/categories", json=body)).status == 201
    body = {"content": CONTENT + '<img src="/media/2026/01/b.png">', "featured_image": "2026/01/a.jpg"}
    made = await created(editor, **body, categories=[2], tags=["Sea"], status="published", seo={"robots": "noindex"})
    number: int = made["id"]
    return number


async def told(host: Host) -> dict[str, Sequence[str]]:
    """What every index says, by its name; without those that agree."""
    found = {index.name: await index.verify(host.db) for index in host.indexes}
    return {name: lines for name, lines in found.items() if lines}


async def rebuilt(host: Host, *names: str) -> list[tuple[int, int]]:
    """Rebuild the indexes; gives what was told of the progress."""
    steps: list[tuple[int, int]] = []
    for index in host.indexes:
        if not names or index.name in names:
            await index.rebuild(host.unit(), lambda done, total: steps.append((done, total)))
    return steps


async def damage(site: Site, query: Query[Any], post: int) -> None:
    async with site.host.db.transaction() as tx:
        assert await tx.execute(query, post=post) > 0


def without_slots(tables: dict[str, list[tuple[Any, ...]]]) -> dict[str, Any]:
    """The rows of a database, the kept numbers as their sums; FTS5's own tables have more than one form."""
    found: dict[str, Any] = {}
    for name, rows in tables.items():
        if name.endswith("_counts"):
            sums: dict[tuple[Any, ...], int] = {}
            for *key, _, number in rows:
                sums[tuple(key)] = sums.get(tuple(key), 0) + number
            found[name] = {key: number for key, number in sums.items() if number}
        elif name not in ("post_search_data", "post_search_idx"):
            found[name] = rows
    return found
