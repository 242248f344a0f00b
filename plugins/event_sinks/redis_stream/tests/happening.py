"""Events, and what the stream has of them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cms_host.api import Event, Logged, Outbox, emit
from cms_host.testing import Site
from cms_sink_redis_stream.sink import NAME

from .server import RedisServer

STREAM = "cms:events"


@dataclass(frozen=True, slots=True)
class ThingHappened(Event):
    """Whenever a test says so."""

    kind = "thing_happened"
    number: int
    word: str = "ığdır 🌊"


async def happen(site: Site, *numbers: int) -> None:
    """Events in one transaction, which are delivered as far as they are due."""
    async with site.host.unit().write() as unit:
        for number in numbers:
            await emit(unit, ThingHappened(number))
    await site.run_job("host.events")


async def log(site: Site) -> list[Logged]:
    """All attempts, newest first."""
    return await Outbox(site.host.unit(), NAME).log(None, 1_000)


def entries(server: RedisServer, stream: str = STREAM) -> Sequence[dict[bytes, bytes]]:
    """What a reader of the stream gets."""
    with server.connect() as redis:
        found: Any = redis.xrange(stream)
    return [fields for _, fields in found]


def numbers(server: RedisServer, stream: str = STREAM) -> list[int]:
    """Of the events in the stream."""
    return [json.loads(each[b"body"])["data"]["number"] for each in entries(server, stream)]
