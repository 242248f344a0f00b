"""What a command of `cms-host` is made with: a connected site to work on, and one way to fail and to print a table."""

import asyncio
import functools
import logging
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cms_host.config import Config, ConfigError, load_config
from cms_host.tables import print_table

if TYPE_CHECKING:
    from cms_host.host import Host

__all__ = [
    "CommandError",
    "config_option",
    "failing_clearly",
    "print_table",
    "run_on_site",
    "site_command",
    "told_to_operators",
]


class CommandError(click.ClickException):
    """Ends a command: the message goes to standard error, and the exit status is 1."""


def site_command(
    name: str | None = None, **attributes: Any
) -> Callable[[Callable[..., Awaitable[None]]], click.Command]:
    """Make `async def work(host, **options)` a command with `--config PATH`; goes above its click options.

    The command loads the configuration and the plugins, migrates, connects, runs, and lets everything go. What it
    raises of :class:`CommandError`, :class:`ApiError` and the like is one line on standard error and exit status 1.

    :param name: what the operator types; without one, the function's name.
    :param attributes: passed on to `click.command` (`help`, `short_help`, `hidden`, ...).
    """

    def decorate(work: Callable[..., Awaitable[None]]) -> click.Command:
        @functools.wraps(work)
        def command(config_path: Path | None, **options: Any) -> None:
            with failing_clearly():
                run_on_site(load_config(config_path), lambda host: work(host, **options))

        made = click.command(name, cls=click.Command, **attributes)(command)
        made.params.append(config_option())
        return made

    return decorate


def config_option() -> click.Option:
    """`--config PATH`, which every command takes (contract 9); reaches the function as `config_path`."""
    return click.Option(
        ["--config", "config_path"],
        type=click.Path(path_type=Path),
        metavar="PATH",
        help="Configuration file; else $CMS_CONFIG, else ./cms.toml where there is one.",
    )


def run_on_site(config: Config, work: Callable[["Host"], Awaitable[None]]) -> None:
    """Bring the site's database up to date, connect, do the work, and let everything go."""
    # Imported here, so that `--help` and bad usage need not wait for the whole host.
    from cms_host.app import make_host
    from cms_host.logs import configure_logging
    from cms_host.migrate import migrate

    if not logging.getLogger().handlers:
        configure_logging("warning")
    host = make_host(config)
    is_new = _is_new(config)
    migrate(config.database)
    if is_new:
        click.echo(f"There was no site in {config.data_dir} yet: a new one was made.", err=True)
    asyncio.run(_connected(host, work))


def _is_new(config: Config) -> bool:
    """Whether the site's database is a file that is not there yet: in the wrong folder, an operator should notice."""
    kind, _, path = config.database.partition(":///")
    return kind == "sqlite" and not Path(path).exists()


async def _connected(host: "Host", work: Callable[["Host"], Awaitable[None]]) -> None:
    from cms_host.app import connected

    async with connected(host):
        try:
            await work(host)
        finally:
            await host.close_workers()


@contextmanager
def failing_clearly() -> Iterator[None]:
    """Turn what an operator can do something about into a :class:`CommandError`.

    A reader that went away (`cms-host key list | head -1`) is left to click, which keeps silent about it.
    """
    try:
        yield
    except (BrokenPipeError, click.ClickException, click.Abort):
        raise
    except Exception as error:
        told = told_to_operators(error)
        if told is None:
            raise
        raise CommandError(told) from error


def told_to_operators(error: Exception) -> str | None:
    """What to say of an error that an operator can do something about; None for one of ours."""
    # Imported here, for whoever raised them has them loaded already.
    import psycopg

    from cms_host.db import DatabaseUnavailable
    from cms_host.errors import ApiError
    from cms_host.histories import MigrationError
    from cms_host.plugins import PluginErrors
    from cms_host.services import MissingService
    from cms_host.settings import InvalidSetting

    clear = (ApiError, ConfigError, DatabaseUnavailable, InvalidSetting, MigrationError, MissingService, PluginErrors)
    if isinstance(error, (CommandError, *clear)):
        return str(error)
    if isinstance(error, sqlite3.Error | psycopg.Error):
        # The lines after the first one may hold the values of the statement.
        return f"The database: {str(error).partition(chr(10))[0]}"
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror or error}"
    return None
