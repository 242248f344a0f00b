"""What plugins are handed: the site's configuration, clock, database, settings, workers, each other's services."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast

from cms_host.clock import Clock
from cms_host.config import Config
from cms_host.db import Database
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

T = TypeVar("T")
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
    services: dict[type[Any], list[Factory]] = field(default_factory=lambda: defaultdict(list))
    gate: Gate = field(default_factory=lambda: Gate(()))
    health_checks: Sequence[HealthCheck] = ()
    stat_sources: Sequence[StatSource] = ()
    post_observers: Sequence[PostObserver] = ()
    #: In the order in which they build on each other.
    indexes: Sequence[StoredIndex] = ()
    jobs: JobRunner = field(init=False)
    _ones: dict[type[Any], Any] = field(default_factory=dict)

    @property
    def timezone(self) -> str:
        """The site's time zone, an IANA name."""
        return self.settings[TIMEZONE]

    @property
    def data_dir(self) -> Path:
        """The folder of everything that the site keeps in files."""
        return self.config.data_dir

    def one(self, kind: type[T]) -> T:
        """This host's only object of a class, made at the first call: state that a plugin's hooks share."""
        if kind not in self._ones:
            self._ones[kind] = kind()
        return cast("T", self._ones[kind])

    def unit(self) -> UnitOfWork:
        """A unit of work that acts for nobody: for jobs and commands."""
        return UnitOfWork(self, self.db)
