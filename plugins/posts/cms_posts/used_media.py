"""Which stored files posts show: a copy of their local images, kept in step by every write of content or cover.

A post in the trash counts as well, for it may come back. Revisions and the SEO object do not.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import bindparam, delete, literal_column, select

from cms_host.api import Query, Transaction, UnitOfWork, insert, one_of
from cms_media.api import UsingPost
from cms_posts.local_images import cover_path, image_path
from cms_posts.outline import Outline
from cms_posts.post import Post
from cms_posts.tables import post_media, posts

#: Posts that are told of one question; whoever asks wants to know whether there are any, and some of them.
MOST_TOLD = 20
_of_post = (post_media.c.post_id == bindparam("which"), post_media.c.as_cover == bindparam("cover"))
_ADD = Query(insert(post_media).values({each.key: bindparam(each.key) for each in post_media.c}))
_DROP = Query(delete(post_media).where(*_of_post))
_USING = Query(
    {
        dialect: select(posts.c.id, posts.c.title)
        .where(posts.c.id.in_(select(post_media.c.post_id).where(condition)))
        .order_by(posts.c.id)
        .limit(literal_column(str(MOST_TOLD)))
        for dialect, condition in one_of(post_media.c.path, "paths").items()
    },
    UsingPost,
)


class Shown(NamedTuple):
    """Paths of stored files that a post shows, each once and in their order, whether they exist or not."""

    cover: tuple[str, ...]
    images: tuple[str, ...]


def shown(cover: str, images: Iterable[str], base_url: str) -> Shown:
    """What a post with this cover and these addresses of images shows."""
    own = cover_path(cover, base_url)
    found = {image_path(each, base_url) for each in set(images)}
    return Shown((own,) if own else (), tuple(sorted(path for path in found if path)))


class PostsUsingMedia:
    """Tells media which posts show a file."""

    def __init__(self, unit: UnitOfWork) -> None:
        self._unit = unit

    async def using(self, paths: Collection[str]) -> Sequence[UsingPost]:
        """The first posts, by id, that show one of these files, whatever state they are in."""
        return await self._unit.db.all(_USING, paths=paths)


async def add(tx: Transaction, post: Post, outline: Outline, base_url: str) -> None:
    """A new post shows what it shows."""
    await keep(tx, post.id, shown(post.featured_image, outline.images, base_url))


async def add_many(tx: Transaction, made: Iterable[tuple[Post, Outline]], base_url: str) -> None:
    """The same of many new posts."""
    every = ((post.id, shown(post.featured_image, outline.images, base_url)) for post, outline in made)
    await tx.execute_many(_ADD, [row for post_id, each in every for row in _rows(post_id, each)])


async def change(tx: Transaction, before: Post, after: Post, outline: Outline | None, base_url: str) -> None:
    """A post shows something else; no statement where it does not.

    :param outline: of new content; None where the content stays.
    """
    if outline is not None and after.content != before.content:
        await tx.send(_DROP, which=after.id, cover=False)
        await keep(tx, after.id, shown("", outline.images, base_url))
    had, has = (shown(post.featured_image, (), base_url) for post in (before, after))
    if had != has:
        await tx.send(_DROP, which=after.id, cover=True)
        await keep(tx, after.id, has)


async def keep(tx: Transaction, post_id: int, paths: Shown) -> None:
    """Note what a post shows of which nothing is noted."""
    await tx.execute_many(_ADD, _rows(post_id, paths))


async def forget(tx: Transaction, post_id: int) -> None:
    """Nothing is noted of the post any more."""
    for cover in (True, False):
        await tx.send(_DROP, which=post_id, cover=cover)


def _rows(post_id: int, paths: Shown) -> Iterator[Mapping[str, Any]]:
    for as_cover, each in ((True, paths.cover), (False, paths.images)):
        yield from ({"post_id": post_id, "as_cover": as_cover, "path": path} for path in each)
