"""A receiver that answers as it is told to, and a site with an event to send it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from aiohttp import web

from cms_host.api import Event, emit
from cms_host.testing import Site
from cms_sink_webhook_delivery.service import EntryService
from cms_sink_webhook_delivery.store import Entry


@dataclass(frozen=True, slots=True)
class ThingHappened(Event):
    """Whenever a test says so."""

    kind = "thing_happened"
    number: int


@dataclass(frozen=True, slots=True)
class OtherHappened(Event):
    """The same, of another kind."""

    kind = "other_happened"


@dataclass
class Receiver:
    """What arrived, and what is answered."""

    url: str = ""
    got: list[tuple[web.Request, bytes]] = field(default_factory=list)
    answer: Callable[[web.Request], web.StreamResponse] = lambda request: web.Response(text="thanks")
    #: Nothing is answered before it is set.
    door: asyncio.Event = field(default_factory=asyncio.Event)

    async def take(self, request: web.Request) -> web.StreamResponse:
        self.got.append((request, await request.read()))
        await self.door.wait()
        return self.answer(request)


async def add(site: Site, url: str, *events: str, secret: str = "", allow_private: bool = True) -> Entry:
    return await site.host.unit().get(EntryService).add(url, secret, events, allow_private=allow_private)


async def happen(site: Site, *events: Event) -> None:
    """Events, which are delivered as far as they are due."""
    for event in events:
        async with site.host.unit().write() as unit:
            await emit(unit, event)
    await site.run_job("host.events")
