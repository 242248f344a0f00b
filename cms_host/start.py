"""What `cms-host serve` does before, and around, answering requests."""

import asyncio
import gc
import logging
import shlex
import signal
import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace

import click

from cms_host import listening
from cms_host.app import connected, make_host, shared_limiter
from cms_host.commands import CommandError, told_to_operators
from cms_host.config import Config
from cms_host.first_start import FirstKey, first_start
from cms_host.host import Host
from cms_host.logs import LineHandler, configure_logging
from cms_host.migrate import migrate
from cms_host.serving import allow_many_connections, serve, stopping_on
from cms_host.supervisor import Supervisor

log = logging.getLogger("cms_host.start")
#: In the data folder: what the processes of one start share, worthless after it.
RUN_FOLDER = "run"
#: Seconds beyond `shutdown_timeout` in which a process lets everything go.
LETTING_GO = 5


def start(config: Config) -> None:
    """Bind, migrate, make the first administrator, and serve until a signal says stop.

    :raises PluginErrors: the plugins can't be loaded. :raises MigrationError: the database can't be used.
    :raises CommandError: the address can't be had, or a serving process did not start.
    """
    logs = configure_logging(config.log_level)
    allow_many_connections()
    host = make_host(config)
    with ExitStack() as stack:
        sockets = (listening.bind if config.workers == 1 else listening.reserve)(config.host, config.port)
        stack.callback(listening.close, sockets)
        config.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        for step in migrate(config.database):
            log.info("migrated", extra={"step": step})
        key = asyncio.run(_first_key(host))
        if key is not None:
            key.show()
        started = _announcement(listening.url(sockets), key)
        if config.workers == 1:
            asyncio.run(_serve_alone(config, sockets, logs, started))
        else:
            _serve_together(config, sockets, logs, started)


async def _first_key(host: Host) -> FirstKey | None:
    async with connected(host):
        return await first_start(host)


def _announcement(url: str, key: FirstKey | None) -> Callable[[], None]:
    def announce() -> None:
        click.echo(f"CMS Host serves on {url} (stop it with Ctrl-C)")
        if key is not None:
            click.echo(f'Try it:\n\ncurl -sS {shlex.quote(f"{url}/api/v1/health")} -H "X-API-Key: {key.in_shell}"\n')

    return announce


async def _serve_alone(
    config: Config, sockets: Sequence[socket.socket], logs: LineHandler, started: Callable[[], None]
) -> None:
    async with stopping_on(signal.SIGTERM, signal.SIGINT) as stop:
        await serve(config, sockets, logs, stop, started)


def _serve_together(
    config: Config, reserved: Sequence[socket.socket], logs: LineHandler, started: Callable[[], None]
) -> None:
    port = reserved[0].getsockname()[1]
    (config.data_dir / RUN_FOLDER).mkdir(mode=0o700, exist_ok=True)

    def work(number: int, lifeline: int, ready: Callable[[], None]) -> None:
        share = replace(
            config,
            port=port,
            content_workers=worker_share(number, config.content_workers, config),
            image_workers=worker_share(number, config.image_workers, config),
        )
        try:
            asyncio.run(_serve_beside_others(share, logs, lifeline, ready))
        except Exception as error:
            told = told_to_operators(error)
            log.critical(told or "serving process failed", exc_info=None if told else error)
            raise SystemExit(1) from None

    if others := [each.name for each in threading.enumerate() if each is not threading.current_thread()]:
        log.warning("these threads are missing from the serving processes", extra={"threads": others})
    # What is loaded so far stays for ever: left alone, its memory remains shared with every process.
    gc.collect()
    gc.freeze()
    if not Supervisor(work, config.workers, config.shutdown_timeout + LETTING_GO).run(started):
        raise CommandError("A serving process did not start; the log says why")


def worker_share(number: int, workers: int, config: Config) -> int:
    """How many of the site's workers of one kind the serving process with this number (from 0) has."""
    share, rest = divmod(workers, config.workers)
    return max(1, share + (number < rest))


async def _serve_beside_others(config: Config, logs: LineHandler, lifeline: int, ready: Callable[[], None]) -> None:
    loop = asyncio.get_running_loop()
    # An operator's tool may send SIGTERM to all processes of the service, beside what the supervisor sends.
    async with stopping_on(signal.SIGTERM, insistent=False) as stop:

        def orphaned() -> None:
            loop.remove_reader(lifeline)
            log.error("the supervisor is gone; this serving process stops")
            stop.set()

        loop.add_reader(lifeline, orphaned)
        with ExitStack() as stack:
            sockets = listening.bind(config.host, config.port, shared=True)
            stack.callback(listening.close, sockets)
            limiter = shared_limiter(config.data_dir / RUN_FOLDER)
            stack.callback(limiter.close)
            await serve(config, sockets, logs, stop, ready, limiter)
