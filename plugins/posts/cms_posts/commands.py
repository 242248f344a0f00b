"""The commands of posts."""

import sys

import click

from cms_host.api import CommandError, Host, site_command
from cms_posts import store
from cms_posts.filling import fill


@site_command("demo", help="Fill an empty store with made-up posts, categories and tags, for trying and measuring.")
@click.option("--posts", "count", type=click.IntRange(1, 10_000_000), required=True, help="How many.")
async def demo(host: Host, count: int) -> None:
    """Shows how far it has come."""
    author = await store.first_author(host.db)
    if author is None:
        raise CommandError("There is no user to write posts: run `cms-host serve` once, or `cms-host user create`")
    if not await store.is_empty(host.db):
        raise CommandError("The store holds posts already; demo only fills an empty one")
    with click.progressbar(length=count, label="Writing posts", file=sys.stderr) as bar:
        async for written in fill(host, count, author):
            bar.update(written)
