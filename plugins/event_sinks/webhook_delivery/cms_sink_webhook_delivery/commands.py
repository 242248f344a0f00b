"""The operator's commands: `cms-host webhook ...` (contract 9)."""

import click

from cms_host.api import CommandError, Host, local, parse_moment, print_table, site_command
from cms_sink_webhook_delivery.listen import listen
from cms_sink_webhook_delivery.service import EntryService

ENTRY_COLUMNS = ("id", "url", "events", "secret", "active", "why", "failing_since", "waiting", "allow_private")
LOG_COLUMNS = (
    "at", "entry", "event", "event_id", "delivery", "delivery_now", "ok", "milliseconds", "answer", "error",
)  # fmt: skip
_as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_entry = click.argument("entry_id", metavar="ID", type=click.IntRange(1, 2**63 - 1))
_id = click.IntRange(1, 2**63 - 1)


@site_command(
    "add", help="Send events to an address, signed. Prints the entry's id, and the secret where it is made here."
)
@click.option("--url", required=True, help="Where to, with http:// or https://.")
@click.option("--secret", default="", help="What signs, of 24 bytes or more; made where it is left out.")
@click.option("--events", default="", metavar="E,E", help="Kinds of events; all of them where it is left out.")
@click.option("--allow-private", is_flag=True, help="The address may be one that is not public.")
async def add_entry(host: Host, url: str, secret: str, events: str, allow_private: bool) -> None:
    kinds = [each.strip() for each in events.split(",") if each.strip()]
    entry = await host.unit().get(EntryService).add(url, secret, kinds, allow_private=allow_private)
    click.echo(entry.id)
    if not secret:
        click.echo(entry.secret)


@site_command("list", help="Show all entries, and how they are doing.")
@_as_json
async def list_entries(host: Host, as_json: bool) -> None:
    records = await host.unit().get(EntryService).records()
    print_table(ENTRY_COLUMNS, [[record[name] for name in ENTRY_COLUMNS] for record in records], as_json)


@site_command("log", help="Show the last attempts, newest first.")
@click.option("--entry", type=_id, help="Of one entry.")
@click.option("--most", type=click.IntRange(1, 10_000), default=50, show_default=True, help="How many.")
@_as_json
async def show_log(host: Host, entry: int | None, most: int, as_json: bool) -> None:
    found = await host.unit().get(EntryService).outbox.log(None if entry is None else str(entry), most)
    rows = [
        (
            local(each.at, host.timezone), each.target, each.event, each.event_id, each.delivery, each.status,
            each.ok, each.milliseconds, each.record.get("status"), each.record.get("error"),
        )
        for each in found
    ]  # fmt: skip
    print_table(LOG_COLUMNS, rows, as_json)


@site_command("pause", help="Send nothing more to an entry; what happens waits.")
@_entry
async def pause_entry(host: Host, entry_id: int) -> None:
    async with host.unit().write() as unit:
        await unit.get(EntryService).pause(entry_id)
    click.echo(f"Paused the entry {entry_id}")


@site_command("resume", help="Send to a paused entry again, what waited first.")
@_entry
async def resume_entry(host: Host, entry_id: int) -> None:
    async with host.unit().write() as unit:
        await unit.get(EntryService).resume(entry_id)
    click.echo(f"Resumed the entry {entry_id}")


@site_command("remove", help="Forget an entry, and what waits for it.")
@_entry
async def remove_entry(host: Host, entry_id: int) -> None:
    async with host.unit().write() as unit:
        await unit.get(EntryService).remove(entry_id)
    click.echo(f"Removed the entry {entry_id}")


@site_command("resend", help="Try a delivery once more, with the same body.")
@click.argument("delivery")
async def resend(host: Host, delivery: str) -> None:
    async with host.unit().write() as unit:
        if not await unit.get(EntryService).outbox.resend(delivery):
            raise CommandError(f"There is no delivery {delivery}")
    click.echo(f"Sending {delivery} again")


@site_command("replay", help="Send an entry once more what has happened since a moment.")
@click.option("--entry", required=True, type=_id, help="Which one.")
@click.option("--since", required=True, metavar="TIME", help="A date, or a date and time.")
async def replay(host: Host, entry: int, since: str) -> None:
    try:
        moment = parse_moment(since, host.timezone)
    except ValueError as error:
        raise CommandError(str(error)) from error
    async with host.unit().write() as unit:
        number = await unit.get(EntryService).replay(entry, moment)
    click.echo(f"Sending {number} events again")


WEBHOOK = click.Group(
    "webhook",
    help="Outgoing webhooks.",
    commands=[add_entry, list_entries, show_log, pause_entry, resume_entry, remove_entry, resend, replay, listen],
)
