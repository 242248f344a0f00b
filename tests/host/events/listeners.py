"""Sinks that note what they get, and a site that they listen to."""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select

from cms_host.api import Delivery, Event, Occurrence, Result, UnitOfWork, emit
from cms_host.db import Query
from cms_host.events.tables import metadata
from cms_host.testing import Site

TABLES = ("events", "event_deliveries", "event_attempts")


@dataclass(frozen=True, slots=True)
class ThingHappened(Event):
    """Whenever a test says so."""

    kind = "thing_happened"
    number: int
    word: str = "ğ"


Act = Callable[[Delivery], Any]


def fine(delivery: Delivery) -> Result:
    return Result(ok=True, record={"answered": 200})


@dataclass
class Line:
    """A sink with one target."""

    act: Act = fine
    name: str = "line"
    got: list[tuple[str, int]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)

    async def deliver(self, unit: UnitOfWork, delivery: Delivery) -> Result:
        self.got.append((delivery.target, json.loads(delivery.event.body)["data"]["number"]))
        self.bodies.append(delivery.event.body)
        result = self.act(delivery)
        return await result if asyncio.iscoroutine(result) else result


@dataclass
class Fan(Line):
    """A sink with several targets."""

    wanted: Callable[[Occurrence], Sequence[str]] = lambda event: ("a", "b")
    name: str = "fan"

    async def targets(self, unit: UnitOfWork, event: Occurrence) -> Sequence[str]:
        return self.wanted(event)


def listen(site: Site, *sinks: Any) -> None:
    """From now on these are the site's sinks."""
    site.host.event_kinds = {ThingHappened.kind: ThingHappened}
    site.host.event_sinks = {sink.name: sink for sink in sinks}


async def happen(site: Site, *numbers: int) -> None:
    for number in numbers:
        async with site.host.unit().write() as write:
            await emit(write, ThingHappened(number))


async def bring(site: Site) -> None:
    """Deliver everything that is due."""
    async with asyncio.timeout(30):
        await site.run_job("host.events")


async def statuses(site: Site) -> list[tuple[str, str, int]]:
    return [(row["target"], row["status"], row["tries"]) for row in await rows(site, "event_deliveries")]


async def rows(site: Site, name: str) -> list[dict[str, Any]]:
    table = metadata.tables[name]
    found = await site.host.db.all(Query(select(table).order_by(*table.primary_key.columns)))
    return [dict(zip(table.c.keys(), row, strict=True)) for row in found]


async def lane_of(site: Site, sink: str) -> dict[str, Any]:
    """The lane of a sink that has no targets of its own."""
    (lane,) = [row for row in await rows(site, "event_lanes") if row["sink"] == sink]
    return lane
