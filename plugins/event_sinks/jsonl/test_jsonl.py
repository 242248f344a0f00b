"""What is in the file, and what becomes of it."""

import json
from dataclasses import dataclass

import pytest

from cms_host.api import Event, emit
from cms_host.testing import Site


@dataclass(frozen=True, slots=True)
class ThingHappened(Event):
    """Whenever a test says so."""

    kind = "thing_happened"
    number: int


@pytest.fixture
async def site(site: Site) -> Site:
    """A site where things happen, and where the file is switched on."""
    site.host.event_kinds = {ThingHappened.kind: ThingHappened}
    await site.set(**{"sink.jsonl.enabled": True})
    return site


async def happen(site: Site, number: int) -> None:
    """An event, which is delivered at once."""
    async with site.host.unit().write() as write:
        await emit(write, ThingHappened(number))
    await site.run_job("host.events")


def numbers(site: Site) -> list[int]:
    """Of the events in the file."""
    lines = (site.host.data_dir / "events/events.jsonl").read_bytes().splitlines()
    return [json.loads(line)["data"]["number"] for line in lines]


@pytest.mark.shows("sinks.jsonl")
async def test_every_event_is_a_line_in_the_order_in_which_it_happened(site: Site) -> None:
    for number in (1, 2, 3):
        await happen(site, number)
    await site.run_job("host.events")

    assert numbers(site) == [1, 2, 3]


async def test_nothing_is_written_unless_it_is_switched_on(site: Site) -> None:
    await site.set(**{"sink.jsonl.enabled": False})
    await happen(site, 1)

    assert not (site.host.data_dir / "events").exists()


async def test_a_line_that_a_dying_process_left_unfinished_does_not_spoil_the_next(site: Site) -> None:
    folder = site.host.data_dir / "events"
    folder.mkdir(parents=True)
    (folder / "events.jsonl").write_bytes(b'{"id": "half')
    await happen(site, 1)

    half, whole = (folder / "events.jsonl").read_bytes().splitlines()
    assert half == b'{"id": "half'
    assert json.loads(whole)["event"] == "thing_happened"


async def test_a_full_file_is_put_aside_and_the_oldest_of_them_removed(site: Site) -> None:
    await site.set(**{"sink.jsonl.max_bytes": 10_000, "sink.jsonl.kept_files": 2})
    folder = site.host.data_dir / "events"
    for number in range(5):
        await happen(site, number)
        with (folder / "events.jsonl").open("ab") as file:
            file.write(b" " * 10_000 + b"\n")
        site.clock.advance(1)

    aside = [
        json.loads(path.read_bytes().splitlines()[0])["data"]["number"] for path in sorted(folder.glob("events-*"))
    ]
    assert (aside, json.loads((folder / "events.jsonl").read_bytes().splitlines()[0])["data"]["number"]) == ([2, 3], 4)
