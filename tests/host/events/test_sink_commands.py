"""`cms-host sink ...`: for sinks that have no commands of their own."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cms_host.api import Outbox
from cms_host.sink_commands import SINK
from cms_host.testing import MakeSite, Site
from tests.host.events.conftest import KEYS
from tests.host.events.listeners import ThingHappened, bring, happen

#: Fails until the folder of its file is there.
PATIENT = """\
from pathlib import Path

from cms_host.api import Result, hookimpl


class Patient:
    name = "acme.patient"

    async def deliver(self, unit, delivery):
        with Path({file!r}).open("a") as file:
            file.write(delivery.event.id + "\\n")
        return Result(ok=True)


@hookimpl
def cms_event_sinks(host):
    return [Patient()]
"""
#: Does not care for the third event.
CHOOSY = PATIENT.replace(
    "    async def deliver",
    "    async def targets(self, unit, event):\n"
    "        return [] if b'\"number\":3' in event.body else ['somebody']\n\n"
    "    async def deliver",
)
Run = Callable[..., Awaitable[Result]]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """What the sink writes, once its folder is there."""
    return tmp_path / "away" / "told.txt"


@pytest.fixture
def source(request: pytest.FixtureRequest) -> str:
    """Of the sink's module."""
    return str(getattr(request, "param", PATIENT))


@pytest.fixture
async def site(make_site: MakeSite, install: Callable[..., None], file: Path, source: str) -> Site:
    """A site with that sink."""
    install("keys", KEYS.read_text("utf-8"))
    install("sink-patient", source.format(file=str(file)))
    site = await make_site(enabled=["keys", "sink-patient"])
    site.host.event_kinds = {ThingHappened.kind: ThingHappened}
    return site


@pytest.fixture
def run(database_url: str, tmp_path: Path) -> Run:
    """Runs a command line on the test's database: `await run("list", "--json")`."""
    config = tmp_path / "cms.toml"
    config.write_text(f'database_url = "{database_url}"\n[plugins]\nenabled = ["keys", "sink-patient"]\n', "utf-8")
    return lambda *arguments: asyncio.to_thread(CliRunner().invoke, SINK, [*arguments, "--config", str(config)])


def told(file: Path) -> list[str]:
    return file.read_text("utf-8").splitlines()


async def listed(run: Run) -> dict[str, Any]:
    (row,) = json.loads((await run("list", "--json")).stdout)
    return dict(row)


async def test_an_operator_sees_how_a_sink_does_and_resumes_it(site: Site, run: Run, file: Path) -> None:
    fresh = await listed(run)
    assert (fresh["sink"], fresh["active"], fresh["failing_since"], fresh["waiting"]) == ("acme.patient", True, None, 0)
    await happen(site, 1)
    await bring(site)
    async with site.host.unit().write() as unit:
        await Outbox(unit, "acme.patient").pause("", "nothing but failures")
    paused = await listed(run)
    assert (paused["active"], paused["why"], paused["waiting"]) == (False, "nothing but failures", 1)
    assert paused["failing_since"] == "2026-01-15 12:00:00"
    (attempt,) = json.loads((await run("log", "acme.patient", "--json")).stdout)
    assert (attempt["ok"], attempt["delivery_now"]) == (False, "pending")
    assert "FileNotFoundError" in attempt["error"]

    file.parent.mkdir()
    site.clock.advance(10)
    assert (await run("resume", "acme.patient")).stdout == "Resumed acme.patient\n"
    await bring(site)
    assert told(file) == [attempt["event_id"]]
    assert (await listed(run))["active"] is True


@pytest.mark.parametrize("source", [PATIENT, CHOOSY], indirect=True, ids=["patient", "choosy"])
async def test_a_sink_that_missed_something_gets_it_once_more(site: Site, run: Run, file: Path) -> None:
    file.parent.mkdir()
    await happen(site, 1)
    site.clock.advance(3_600)
    await happen(site, 2, 3)
    await bring(site)
    missed = told(file)[1:]
    done = await run("replay", "acme.patient", "--since", "2026-01-15 12:30:00")
    await bring(site)

    assert done.stdout == "Delivering 2 events again\n"
    assert missed
    assert told(file)[1:] == missed * 2


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("log", "nobody"), "Error: There is no sink named nobody; there are acme.patient\n"),
        (("resume", "acme.patient"), "Error: acme.patient has had no events yet\n"),
        (("replay", "acme.patient", "--since", "once"), "Error: 'once' is not a date and time"),
    ],
)
async def test_what_can_not_be_is_told_in_one_line(site: Site, run: Run, arguments: tuple[str, ...], line: str) -> None:
    done = await run(*arguments)

    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith(line)


async def test_a_target_that_is_not_there_is_told_with_those_that_are(site: Site, run: Run) -> None:
    await happen(site, 1)
    await bring(site)
    done = await run("resume", "acme.patient", "--target", "x")

    assert done.stderr == "Error: acme.patient has no such target; there are ''\n"


async def test_of_several_targets_an_operator_says_which(site: Site, run: Run) -> None:
    async with site.host.unit().write() as unit:
        for target in ("there", "here"):
            await Outbox(unit, "acme.patient").pause(target, "silent")
    done = await run("resume", "acme.patient")

    assert done.exit_code == 1
    assert done.stderr == "Error: acme.patient has several targets: say which with --target; there are here, there\n"
