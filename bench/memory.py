"""The most memory that each process of a service had in a span of time (Linux: proc(5), VmHWM and clear_refs)."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_PROC = Path("/proc")
#: Written to `clear_refs`, it has the most memory of a process begin again with what it has now.
_FORGET_PEAK = "5"
#: In the command line of a worker process.
_WORKER = b"multiprocessing.spawn"


class Peak(NamedTuple):
    """Of one span, in MB: what the largest worker had, and by how much the service's own processes grew at most."""

    worker: int
    host: int


class Memory:
    """Of a process and all below it."""

    def __init__(self, root: int) -> None:
        self._root = root
        self._before: dict[int, int] = {}

    def begin(self) -> None:
        """Begin a span."""
        self._before = {}
        for pid in _tree(self._root):
            try:
                (_PROC / str(pid) / "clear_refs").write_text(_FORGET_PEAK)
                self._before[pid] = _kilobytes(pid, "VmRSS")
            except (ProcessLookupError, FileNotFoundError):
                continue  # It has ended meanwhile.

    def end(self) -> Peak:
        """Return what was needed since then. A worker that began in the span counts from its own beginning."""
        workers, hosts = [0], [0]
        for pid in _tree(self._root):
            try:
                most = _kilobytes(pid, "VmHWM")
                is_worker = _WORKER in (_PROC / str(pid) / "cmdline").read_bytes()
            except (ProcessLookupError, FileNotFoundError):
                continue  # It has ended meanwhile.
            if is_worker:
                workers.append(most)
            else:
                hosts.append(most - self._before.get(pid, most))
        return Peak(max(workers) // 1024, max(hosts) // 1024)


def _tree(root: int) -> Iterator[int]:
    yield root
    for listed in (_PROC / str(root) / "task").glob("*/children"):
        try:
            children = listed.read_text().split()
        except (ProcessLookupError, FileNotFoundError):
            continue  # The thread has ended meanwhile.
        for child in children:
            yield from _tree(int(child))


def _kilobytes(pid: int, name: str) -> int:
    """What the status says of the memory; of a process that is ending it says nothing."""
    lines = (_PROC / str(pid) / "status").read_text(errors="replace").splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith(f"{name}:")), 0)
