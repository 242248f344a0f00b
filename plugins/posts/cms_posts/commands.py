"""The commands of posts."""

import sys
from collections.abc import Sequence
from itertools import islice

import click

from cms_categories.api import TREE_LOCK, Categories
from cms_host.api import CommandError, Host, site_command
from cms_posts import relations, store
from cms_posts.demo import TAGS, TREE, file_post, make_posts
from cms_tags.api import Tags

#: Posts written in one transaction.
BATCH = 2_000


@site_command("demo", help="Fill an empty store with made-up posts, categories and tags, for trying and measuring.")
@click.option("--posts", "count", type=click.IntRange(1, 10_000_000), required=True, help="How many.")
async def demo(host: Host, count: int) -> None:
    """The one place where posts come to be without the gate: bulk content of our own making, into an empty store."""
    author = await store.first_author(host.db)
    if author is None:
        raise CommandError("There is no user to write posts: run `cms-host serve` once, or `cms-host user create`")
    if not await store.is_empty(host.db):
        raise CommandError("The store holds posts already; demo only fills an empty one")
    shelves, tags = await _make_terms(host)
    made = make_posts(count, author, host.clock.now())
    with click.progressbar(length=count, label="Writing posts", file=sys.stderr) as bar:
        while batch := list(islice(made, BATCH)):
            filed = [file_post(each, shelves, tags) for each in batch]
            async with host.db.transaction() as tx:
                await store.add_many(tx, [each for each, _ in filed])
                await relations.add_many(tx, [(each.post, has) for each, has in filed])
            bar.update(len(batch))
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
