"""The operator's commands: `cms-host queue ...` (contract 9)."""

import sys
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import click

from cms_content_queue.acts import Outcome, approve_item, queue_file, reject_item
from cms_content_queue.files import files_of
from cms_content_queue.item import PENDING, STATUSES
from cms_content_queue.records import COLUMNS, item_row
from cms_content_queue.service import QueueService
from cms_host.api import CommandError, Host, one_line, print_table, site_command

T = TypeVar("T")
_ids = click.argument("item_ids", metavar="ID...", nargs=-1, required=True, type=click.IntRange(1, 2**63 - 1))


@site_command("add", help="Queue Markdown or HTML files with front matter; of folders, all that are in them and below.")
@click.argument("paths", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
async def add_files(host: Host, paths: tuple[Path, ...]) -> None:
    files = list(files_of(paths))
    if not files:
        raise CommandError("There are no Markdown or HTML files in what was named")
    failed = await _do_each("Queueing", files, partial(queue_file, host))
    _end(failed, len(files), "files could not be queued")


@site_command("list", help="Show what waits for an editor, the oldest first.")
@click.option("--status", type=click.Choice([*STATUSES, "all"]), default=PENDING, help="Or what was decided.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
async def list_items(host: Host, status: str, as_json: bool) -> None:
    found = await host.unit().get(QueueService).all(STATUSES if status == "all" else [status])
    print_table(COLUMNS, [item_row(item, host.timezone) for item in found], as_json)


@site_command("approve", help="Make drafts of these items, in the names of their authors.")
@_ids
@click.option("--as", "username", metavar="USER", help="Whose posts they become; a username or an e-mail address.")
@click.option(
    "--publish", is_flag=True, help="Publish them where the quality gate lets them, instead of leaving drafts."
)
async def approve_items(host: Host, item_ids: tuple[int, ...], username: str | None, publish: bool) -> None:
    ids = list(dict.fromkeys(item_ids))
    failed = await _do_each("Approving", ids, partial(approve_item, host, username=username, publish=publish))
    _end(failed, len(ids), f"items could not be {'published' if publish else 'approved'}")


@site_command("reject", help="Make no posts of these items.")
@_ids
async def reject_items(host: Host, item_ids: tuple[int, ...]) -> None:
    ids = list(dict.fromkeys(item_ids))
    _end(await _do_each("Rejecting", ids, partial(reject_item, host)), len(ids), "items could not be rejected")


async def _do_each(label: str, things: Sequence[T], act: Callable[[T], Awaitable[Outcome]]) -> int:
    """How many failed. What was done is told at the end, also where that comes too early: it is done all the same."""
    outcomes: list[Outcome] = []
    try:
        with click.progressbar(things, label=label, file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
            for thing in bar:
                outcomes += [await act(thing)]
    finally:
        for outcome in outcomes:
            _tell(outcome)
    return sum(bool(outcome.problem) for outcome in outcomes)


def _tell(outcome: Outcome) -> None:
    if outcome.done:
        click.echo(one_line(outcome.done))
    for remark in outcome.remarks:
        click.echo(f"Warning: {one_line(remark)}", err=True)
    if outcome.problem:
        click.echo(f"Error: {one_line(outcome.problem)}", err=True)


def _end(failed: int, of: int, what: str) -> None:
    """:raises CommandError: something failed."""
    if failed:
        raise CommandError(f"{failed} of {of} {what}")


QUEUE = click.Group(
    "queue",
    help="Articles that wait for an editor to make posts of them.",
    commands=[add_files, list_items, approve_items, reject_items],
)
