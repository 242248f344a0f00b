"""Putting made-up posts into an empty store, under categories and tags."""

from collections.abc import AsyncIterator, Sequence
from itertools import islice

from cms_categories.api import TREE_LOCK, Categories
from cms_host.api import Host
from cms_posts import relations, store, used_media
from cms_posts.demo import TAGS, TREE, file_post, make_posts
from cms_posts.observed import change_of
from cms_tags.api import Tags

#: Posts written in one transaction.
BATCH = 2_000


async def fill(host: Host, count: int, author_id: int) -> AsyncIterator[int]:
    """Write `count` posts; gives how many each step has written.

    The one place where posts come to be without the gate: bulk content of our own making, into an empty store.
    """
    shelves, tags = await _make_terms(host)
    made = make_posts(count, author_id, host.clock.now())
    while batch := list(islice(made, BATCH)):
        filed = [file_post(each, shelves, tags) for each in batch]
        async with host.db.transaction() as tx:
            await store.add_many(tx, [each for each, _ in filed])
            await used_media.add_many(tx, [(each.post, each.outline) for each, _ in filed], host.config.base_url)
            await relations.add_many(tx, [(each.post, has) for each, has in filed])
            changes = [change_of(None, each.post, each.outline) for each, _ in filed]
            for observer in host.post_observers:
                await observer.saved_many(changes, tx)
        yield len(batch)
    await store.analyze(host.db)


async def _make_terms(host: Host) -> tuple[dict[int, int | None], Sequence[int]]:
    """The ids of the categories, with those of their parents, and of the tags."""
    shelves: dict[int, int | None] = {}
    async with host.unit().write(TREE_LOCK) as unit:
        categories = unit.get(Categories)
        for parent, children in TREE.items():
            (above,) = await categories.find_or_create([parent])
            shelves |= {above: None, **dict.fromkeys(await categories.find_or_create(children, above), above)}
        return shelves, await unit.get(Tags).find_or_create(TAGS)
