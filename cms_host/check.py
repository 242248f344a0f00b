"""What `cms-host check` looks at. It changes nothing."""

import asyncio
import os
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cms_host.app import build_app, connected, make_host
from cms_host.config import Config
from cms_host.db import DatabaseUnavailable
from cms_host.health import HealthCheck
from cms_host.host import Host
from cms_host.indexes import StoredIndex
from cms_host.integrity import file_faults
from cms_host.migrate import MigrationError, pending
from cms_host.one_line import one_line
from cms_host.plugins import PluginErrors, Plugins, survey_plugins
from cms_host.redaction import describe

#: Seconds that one health check may take.
PATIENCE = 15
#: Health checks of what has to be well while nothing serves, too; the others are only told.
STORES = frozenset({"database", "media_store"})


@dataclass(frozen=True, slots=True)
class Finding:
    """What is known of one part."""

    part: str
    text: str
    well: bool = True

    def __str__(self) -> str:
        return f"{'ok' if self.well else 'Error'}: {self.part}: {self.text}"


def examine(config: Config) -> Sequence[Finding]:
    """Every part that can be looked at without serving; what depends on a part that is not well is left out."""
    plugins = survey_plugins(config.plugins)
    findings = [*_plugins(config, plugins), *_data_folder(config.data_dir)]
    if not all(finding.well for finding in findings):
        return findings
    database, complete = _database(config)
    findings.append(database)
    if complete:
        findings += _file(config.database)
        findings += asyncio.run(_connected(config, plugins))
    return findings


def _plugins(config: Config, plugins: Plugins) -> Iterator[Finding]:
    yield from (Finding("plugins", str(each), well=False) for each in plugins.broken)
    if plugins.broken:
        return
    try:
        build_app(config)
    except PluginErrors as error:
        yield from (Finding("plugins", line, well=False) for line in error.lines)
        return
    off = sum(each.state != "on" for each in plugins.known.values())
    yield Finding("plugins", f"{len(plugins.known) - off} on, {off} off")


def _data_folder(folder: Path) -> Iterator[Finding]:
    place = folder.absolute()
    existing = next(each for each in (place, *place.parents) if each.exists())
    if not existing.is_dir():
        yield Finding("data_dir", f"{existing} is not a folder", well=False)
    elif not os.access(existing, os.W_OK | os.X_OK):
        yield Finding("data_dir", f"{existing} can't be written to", well=False)
    else:
        yield Finding("data_dir", f"{place}" if existing == place else f"{place} (made at the first start)")


def _database(config: Config) -> tuple[Finding, bool]:
    """What is to be said of it, and whether it has all that the plugins expect."""
    file = Path(config.database.removeprefix("sqlite:///"))
    if config.database.startswith("sqlite") and not file.exists():
        return Finding("database", f"{file} (made at the first start)"), False
    try:
        steps = pending(config.database)
    except MigrationError as error:
        return Finding("database", str(error), well=False), False
    if steps:
        text = f"lacks {len(steps)} migrations, which `cms-host migrate` or the next start applies"
        return Finding("database", text), False
    return Finding("database", "reachable and up to date"), True


def _file(url: str) -> Iterator[Finding]:
    """What SQLite says of its file; PostgreSQL looks after its own."""
    if not url.startswith("sqlite"):
        return
    try:
        faults = file_faults(Path(url.removeprefix("sqlite:///")))
    except sqlite3.Error as error:
        faults = [str(error)]
    yield from (Finding("database file", one_line(each), well=False) for each in faults)
    if not faults:
        yield Finding("database file", "holds together")


async def _connected(config: Config, plugins: Plugins) -> Sequence[Finding]:
    host = make_host(config, plugins=plugins)
    try:
        async with connected(host):
            findings = [await _ask(host, check) for check in host.health_checks]
            return [*findings, *[each for index in host.indexes for each in await _verify(host, index)]]
    except DatabaseUnavailable as error:
        return [Finding("database", str(error), well=False)]
    finally:
        await host.close_workers()


async def _ask(host: Host, check: HealthCheck) -> Finding:
    try:
        async with asyncio.timeout(PATIENCE):
            return Finding(check.name, await check.run(host.unit()))
    except Exception as error:  # noqa: BLE001 - whatever keeps a part from being well is what was asked for.
        return Finding(check.name, describe(error), well=check.name not in STORES)


async def _verify(host: Host, index: StoredIndex) -> Sequence[Finding]:
    part = f"index {index.name}"
    try:
        wrong = await index.verify(host.db)
    except Exception as error:  # noqa: BLE001 - an index that can't be read is no better than one that is wrong.
        wrong = [describe(error)]
    if not wrong:
        return [Finding(part, "agrees")]
    return [Finding(part, one_line(each), well=False) for each in wrong]
