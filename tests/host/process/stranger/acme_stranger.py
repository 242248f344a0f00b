"""A plugin as a stranger would write it: endpoints to try a serving process with, and commands."""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

import click
from aiohttp import web

from cms_host.api import BadRequest, CommandError, Host, Role, Route, hookimpl, ok, print_table, site_command


async def tell_process(request: web.Request) -> web.Response:
    """Which process answers."""
    return ok({"pid": os.getpid()})


async def wait_for_file(request: web.Request) -> web.Response:
    """Answer as soon as the file `until` is there; `until`.begun says that the request has arrived."""
    begin(until := Path(request.query["until"]))
    while not is_there(until):
        await asyncio.sleep(0.01)
    return ok({"text": "x" * 100_000})


def begin(until: Path) -> None:
    Path(f"{until}.begun").touch()


def is_there(until: Path) -> bool:
    return until.exists()


async def measure(request: web.Request) -> web.Response:
    """The length of the body."""
    return ok({"bytes": len(await request.read())})


@hookimpl
def cms_routes(host: Host) -> Sequence[Route]:
    return [
        Route("GET", "/stranger/process", tell_process, Role.SUBSCRIBER),
        Route("GET", "/stranger/wait", wait_for_file, Role.SUBSCRIBER),
        Route("POST", "/stranger/measure", measure, Role.SUBSCRIBER),
    ]


@site_command()
@click.argument("names", nargs=-1)
@click.option("--json", "as_json", is_flag=True)
async def greet(host: Host, names: Sequence[str], as_json: bool) -> None:
    """Greet each name."""
    if "nobody" in names:
        raise CommandError("There is nobody to greet")
    if "someone" in names:
        raise BadRequest("Who is someone?")
    print_table(("name", "zone"), [(name, host.timezone) for name in names], as_json)


@hookimpl
def cms_commands() -> Sequence[click.Command]:
    return [greet]
