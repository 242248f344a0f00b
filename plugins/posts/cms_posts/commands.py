"""The commands of posts."""

import sys
from itertools import islice

import click

from cms_host.api import CommandError, Host, site_command
from cms_posts import store
from cms_posts.demo import make_posts

#: Posts written in one transaction.
BATCH = 2_000


@site_command("demo", help="Fill an empty store with made-up posts, for trying and measuring.")
@click.option("--posts", "count", type=click.IntRange(1, 10_000_000), required=True, help="How many.")
async def demo(host: Host, count: int) -> None:
    """The one place where posts come to be without the gate: bulk content of our own making, into an empty store."""
    author = await store.first_author(host.db)
    if author is None:
        raise CommandError("There is no user to write posts: run `cms-host serve` once, or `cms-host user create`")
    if not await store.is_empty(host.db):
        raise CommandError("The store holds posts already; demo only fills an empty one")
    made = make_posts(count, author, host.clock.now())
    with click.progressbar(length=count, label="Writing posts", file=sys.stderr) as bar:
        while batch := list(islice(made, BATCH)):
            async with host.db.transaction() as tx:
                await store.add_many(tx, batch)
            bar.update(len(batch))
