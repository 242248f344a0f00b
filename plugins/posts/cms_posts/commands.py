"""The commands of posts."""

import sys

import click

from cms_host.api import CommandError, Host, print_table, site_command
from cms_posts import store
from cms_posts.filling import fill
from cms_posts.simulating import Found, WouldRefuse, parse_settings
from cms_posts.simulating import simulate as show_all


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


@site_command("simulate", help="Tell which published posts the gate would refuse if these settings held.")
@click.option(
    "--set",
    "sent",
    multiple=True,
    metavar="KEY=VALUE",
    help="A setting to suppose, such as gate.short_content.minimum=2000 or gate.short_title.mode=off; may be repeated.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
async def simulate(host: Host, sent: tuple[str, ...], as_json: bool) -> None:
    """The real gate looks at every published post as it is; nothing is written, nor counted."""
    host.settings.assume(parse_settings(host.settings, sent))
    total, seen = await store.count_published(host.db), 0
    with Found() as found:
        with click.progressbar(length=total, label="Asking the gate", file=sys.stderr) as bar:
            async for step in show_all(host, found):
                seen += step
                bar.update(step)
        print_table(WouldRefuse._fields, found, as_json)
        click.echo(f"{len(found)} of {seen} published posts would be refused", err=True)


gate = click.Group("gate", commands=[simulate], help="Ask the quality gate without publishing.")
