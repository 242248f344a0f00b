"""What plugins are handed: the site's configuration, clock, database, settings, workers, each other's services."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from cms_host.client_ip import ClientIp
from cms_host.clock import Clock
from cms_host.config import Config
from cms_host.db import Database
from cms_host.fetch import Fetcher
from cms_host.finding import SearchSource, SitemapSource
from cms_host.gate import Gate
from cms_host.health import HealthCheck
from cms_host.indexes import StoredIndex
from cms_host.jobs import JobRunner
from cms_host.moments import zone
from cms_host.observing import PostObserver
from cms_host.plugins import Plugins
from cms_host.services import Factory, UnitOfWork
from cms_host.settings import Setting, Settings
from cms_host.stats import StatSource
from cms_host.workers import Workers

if TYPE_CHECKING:
    from cms_host.events.event import Event
    from cms_host.events.sink import EventSink

log = logging.getLogger("cms_host.host")
T = TypeVar("T")
#: Seconds that each plugin has to let go of what it holds open.
LETTING_GO = 3.0
#: The zone of every date and time that clients see (contract 3).
TIMEZONE = Setting(
    "timezone", "UTC", "IANA name of the zone in which dates and times are shown and read.", minimum=1, check=zone
)


@dataclass(slots=True)
class Host:
    """One application's parts. Hooks receive it before anything is connected: they keep it, and use it later."""

    config: Config
    clock: Clock
    plugins: Plugins
    db: Database
    settings: Settings
    workers: Workers
    #: Of their own, for conversions that take long: what waits for `workers` never waits for them.
    image_workers: Workers
    services: dict[type[Any], list[Factory]] = field(default_factory=lambda: defaultdict(list))
    gate: Gate = field(default_factory=lambda: Gate(()))
    health_checks: Sequence[HealthCheck] = ()
    #: By their kinds.
    event_kinds: Mapping[str, type["Event"]] = field(default_factory=dict)
    #: By their names.
    event_sinks: Mapping[str, "EventSink"] = field(default_factory=dict)
    stat_sources: Sequence[StatSource] = ()
    post_observers: Sequence[PostObserver] = ()
    #: In the order in which they build on each other.
    indexes: Sequence[StoredIndex] = ()
    search_sources: Sequence[SearchSource] = ()
    sitemap_sources: Sequence[SitemapSource] = ()
    #: Tells whom a request is from.
    client_ip: ClientIp = field(default_factory=ClientIp)
    fetcher: Fetcher = field(default_factory=Fetcher)
    jobs: JobRunner = field(init=False)
    _closing: list[Callable[[], Awaitable[None]]] = field(default_factory=list)
    _ones: dict[type[Any], Any] = field(default_factory=dict)

    @property
    def timezone(self) -> str:
        """The site's time zone, an IANA name."""
        return self.settings[TIMEZONE]

    @property
    def data_dir(self) -> Path:
        """The folder of everything that the site keeps in files."""
        return self.config.data_dir

    def on_close(self, let_go: Callable[[], Awaitable[None]]) -> None:
        """Have this called when the process lets go of the database, after its jobs have ended: to close a client."""
        self._closing.append(let_go)

    async def close_others(self) -> None:
        """Have plugins let go of what they hold open, the last to ask for it first; none can keep the process alive."""
        for let_go in reversed(self._closing):
            try:
                async with asyncio.timeout(LETTING_GO):
                    await let_go()
            except Exception:
                log.exception("a plugin could not let go", extra={"callback": getattr(let_go, "__qualname__", "")})

    async def close_workers(self) -> None:
        """End all worker processes, and wait until they are gone."""
        await self.workers.close()
        await self.image_workers.close()

    def one(self, kind: type[T]) -> T:
        """This host's only object of a class, made at the first call: state that a plugin's hooks share."""
        if kind not in self._ones:
            self._ones[kind] = kind()
        return cast("T", self._ones[kind])

    def unit(self) -> UnitOfWork:
        """A unit of work that acts for nobody: for jobs and commands."""
        return UnitOfWork(self, self.db)

    async def unit_of_now(self) -> UnitOfWork:
        """The same, with the settings of this moment: no request may have come to this host since they were changed."""
        await self.settings.refresh(self.db)
        return self.unit()
