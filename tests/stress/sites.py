"""A whole site in processes of its own, as an operator runs it: every plugin, two serving processes."""

import os
import signal
from pathlib import Path

import aiohttp

from tests.host.process.installation import PATIENCE, Installation, Running


def installation(folder: Path, database_url: str) -> Installation:
    """A site that was never started, on a database that may be empty."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CMS_")}
    environment |= {"API_RATE_LIMIT": "0", "PYTHONWARNINGS": "error", "CMS_DATABASE_URL": database_url}
    return Installation(folder, environment)


def kill(running: Running) -> None:
    """End the whole group at once, as a machine does that loses its power."""
    os.killpg(running.process.pid, signal.SIGKILL)
    running.process.wait(PATIENCE)


def client(made: Installation, running: Running, *, reconnecting: bool = False) -> aiohttp.ClientSession:
    """A client with the administrator's key.

    :param reconnecting: every request comes on a connection of its own, so that any process may answer it.
    """
    return aiohttp.ClientSession(
        running.url,
        headers={"X-API-Key": made.key},
        connector=aiohttp.TCPConnector(force_close=reconnecting),
        timeout=aiohttp.ClientTimeout(total=PATIENCE),
    )


def errors(running: Running) -> list[str]:
    """What the service logged as an error, with its tracebacks as they are read."""
    return [line.replace("\\n", "\n") for line in running.log.splitlines() if '"level":"ERROR"' in line]
