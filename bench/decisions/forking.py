"""docs/decisions/0010: how long a serving process takes to come to life, forked and as a fresh interpreter."""

import os
import signal
import subprocess
import sys
import timeit
from pathlib import Path

from cms_host.app import make_host
from cms_host.config import Config

FRESH = "from cms_host.app import make_host; from cms_host.config import Config; make_host(Config())"


def fork_and_wait() -> None:
    """A child that has all that is loaded here, and wires the plugins together as a serving process does."""
    child = os.fork()
    if child == 0:
        make_host(Config())
        os._exit(0)
    os.waitpid(child, 0)


def megabytes(pid: int, *kinds: str) -> float:
    """Memory of a process, of the kinds that /proc/PID/smaps_rollup tells."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith(kinds)) / 1024


def main() -> None:
    make_host(Config())
    forked = min(timeit.repeat(fork_and_wait, number=1, repeat=7))
    command = [sys.executable, "-c", FRESH]
    fresh = min(timeit.repeat(lambda: subprocess.run(command, check=True), number=1, repeat=5))
    print(f"forked {forked * 1000:.0f} ms, a fresh interpreter {fresh * 1000:.0f} ms (x{fresh / forked:.0f})")
    ready, alive = os.pipe()
    child = os.fork()
    if child == 0:
        make_host(Config())
        os.write(alive, b".")
        signal.pause()
    os.read(ready, 1)
    own, all_of_it = megabytes(child, "Private_"), megabytes(child, "Rss:")
    print(f"memory of the forked one: {all_of_it:.0f} MB, of which {own:.0f} MB are its own")
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


if __name__ == "__main__":
    main()
