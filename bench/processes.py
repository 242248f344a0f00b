"""Programs started for a run: found listening, stopped with SIGTERM, their output kept for when one fails."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench.client import BenchError

ROOT = Path(__file__).parent.parent
_LISTEN = "0A"
#: Seconds to wait for a program to listen: a floor writes all its posts first.
_PATIENCE = 300


def free_port() -> int:
    """Return a TCP port that nothing listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def listeners(port: int) -> int:
    """Return how many sockets of this machine listen on `port`: with SO_REUSEPORT, one for each process."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(row[3] == _LISTEN and int(row[1].rpartition(":")[2], 16) == port for row in rows)


@contextmanager
def serving(
    command: Sequence[str], port: int, workers: int, log: Path, environment: Mapping[str, str] | None = None
) -> Iterator[int]:
    """Run `command` until the block ends, and yield its process id once `workers` processes listen on `port`."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=ROOT,
            start_new_session=True,
            env={**os.environ, **(environment or {})},
        )
    try:
        _wait_listening(process, port, workers, log)
        yield process.pid
    finally:
        _stop(process)


def run_once(command: Sequence[str], environment: Mapping[str, str]) -> str:
    """Run `command` to its end and return what it printed; raise BenchError when it fails."""
    env = {**os.environ, **environment}
    found = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if found.returncode:
        raise BenchError(f"{' '.join(command)} exited with {found.returncode}: {found.stderr.strip()[-500:]}")
    return found.stdout


def _wait_listening(process: subprocess.Popen[bytes], port: int, workers: int, log: Path) -> None:
    end = time.monotonic() + _PATIENCE
    while listeners(port) < workers:
        if process.poll() is not None or time.monotonic() > end:
            words = log.read_text(errors="replace").strip()[-800:]
            raise BenchError(f"{workers} processes never listened on port {port}: {words}")
        time.sleep(0.05)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(timeout=30)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # The session is its own: nothing else is in it.
        process.wait()
