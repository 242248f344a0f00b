"""`cms-host sink ...`: how sinks are doing, and what operators do about it, whatever the sink is."""

from typing import TYPE_CHECKING

import click

from cms_host.commands import CommandError, site_command
from cms_host.tables import print_table

if TYPE_CHECKING:
    from cms_host.events.operating import Outbox
    from cms_host.host import Host
    from cms_host.services import UnitOfWork

STATE_COLUMNS = ("sink", "target", "active", "why", "failing_since", "waiting")
LOG_COLUMNS = ("at", "target", "event", "event_id", "delivery", "delivery_now", "ok", "milliseconds", "error")
_as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_sink = click.argument("name", metavar="SINK")


@site_command("list", help="Show all sinks and their targets, and how they are doing.")
@_as_json
async def list_sinks(host: "Host", as_json: bool) -> None:
    unit = host.unit()
    rows = [row for name in host.event_sinks for row in await _states(unit, name)]
    print_table(STATE_COLUMNS, rows, as_json)


@site_command("log", help="Show the last attempts to deliver, newest first.")
@_sink
@click.option("--most", type=click.IntRange(1, 10_000), default=50, show_default=True, help="How many.")
@_as_json
async def show_log(host: "Host", name: str, most: int, as_json: bool) -> None:
    from cms_host.moments import local

    rows = [
        (
            local(each.at, host.timezone), each.target, each.event, each.event_id, each.delivery, each.status,
            each.ok, each.milliseconds, each.record.get("error"),
        )
        for each in await _outbox(host.unit(), name).log(None, most)
    ]  # fmt: skip
    print_table(LOG_COLUMNS, rows, as_json)


@site_command("resume", help="Deliver to a paused target again, what waited first.")
@_sink
@click.option("--target", help="Which one; can be left out where the sink has a single one.")
async def resume(host: "Host", name: str, target: str | None) -> None:
    async with host.unit().write() as unit:
        outbox = _outbox(unit, name)
        await outbox.resume(await _chosen(outbox, name, target))
    click.echo(f"Resumed {name}")


@site_command("replay", help="Deliver once more what has happened since a moment, to all who want it.")
@_sink
@click.option("--since", required=True, metavar="TIME", help="A date, or a date and time.")
async def replay(host: "Host", name: str, since: str) -> None:
    from cms_host.events.outbox import NO_TARGET
    from cms_host.moments import parse_moment

    try:
        moment = parse_moment(since, host.timezone)
    except ValueError as error:
        raise CommandError(str(error)) from error
    async with host.unit().write() as unit:
        # A sink with targets is asked again for each event whom it wants told.
        number = await _outbox(unit, name).replay(NO_TARGET, (), moment)
    click.echo(f"Delivering {number} events again")


def _outbox(unit: "UnitOfWork", name: str) -> "Outbox":
    from cms_host.events.operating import Outbox

    known = unit.host.event_sinks
    if name not in known:
        raise CommandError(f"There is no sink named {name}; there are {', '.join(sorted(known)) or 'none'}")
    return Outbox(unit, name)


async def _chosen(outbox: "Outbox", name: str, target: str | None) -> str:
    """The target of that name, or the only one there is."""
    known = sorted(await outbox.states())
    if target in known:
        return str(target)
    if target is None and len(known) == 1:
        return known[0]
    if not known:
        raise CommandError(f"{name} has had no events yet")
    told = ", ".join(each or "''" for each in known)
    which = "has several targets: say which with --target" if target is None else "has no such target"
    raise CommandError(f"{name} {which}; there are {told}")


async def _states(unit: "UnitOfWork", name: str) -> list[tuple[object, ...]]:
    """A row for each target; one without anything for a sink that has had no events yet."""
    from cms_host.moments import local

    outbox = _outbox(unit, name)
    waiting = await outbox.waiting()
    rows: list[tuple[object, ...]] = []
    for target, state in sorted((await outbox.states()).items()):
        since = None if state.failing_since is None else local(state.failing_since, unit.host.timezone)
        rows.append((name, target, state.paused_at is None, state.paused_why, since, waiting.get(target, 0)))
    return rows or [(name, "", True, "", None, 0)]


SINK = click.Group("sink", help="Where events go.", commands=[list_sinks, show_log, resume, replay])
