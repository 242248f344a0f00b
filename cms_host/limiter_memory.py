"""The limiter of a single process: the times of admitted requests, packed, in memory (spec, Limits)."""

import math
import struct
import threading
import time
from collections.abc import Callable

#: Length of the window in seconds; a request made at `t` no longer counts at `t + WINDOW`.
WINDOW = 3600.0

#: Returns the time in seconds from any fixed moment on.
TimeSource = Callable[[], float]

_SHARDS = 2048
_SWEEP_INTERVAL = WINDOW / 8 / _SHARDS

_TIME = struct.Struct("d")


class MemoryLimiter:
    """The times of each client as packed numbers: about 190 bytes for a client with one request.

    They are byte arrays because the garbage collector passes over those. With objects that it tracks, each of
    its full runs would hold up the event loop for 100 ms at a million clients.

    Clients are spread over 2048 small dictionaries. Each call clears aged-out clients from one of them at
    most, and each has its turn every 7.5 minutes (or every 2048 calls, when those take longer). So a call
    looks at 500 of a million clients at most (0.25 ms), and no dictionary gets so big that its growing is
    felt. A client with a request inside the window is never dropped.

    `clock` is the monotonic one by default, for nothing outside of this process sees these times.
    """

    def __init__(self, clock: TimeSource = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._shards: list[dict[str, bytearray]] = [{} for _ in range(_SHARDS)]
        self._next_shard = 0
        self._swept_at = clock()

    def admit(self, client: str, limit: int) -> bool:
        if limit == 0:
            return True
        with self._lock:
            now = self._clock()
            if abs(now - self._swept_at) >= _SWEEP_INTERVAL:
                self._sweep_one_shard(now)
            shard = self._shards[hash(client) % _SHARDS]
            times = shard.get(client)
            if times is None:
                shard[client] = bytearray(_TIME.pack(now))
                return True
            return _append_if_room(times, now, limit)

    def close(self) -> None:
        with self._lock:
            self._shards = [{} for _ in range(_SHARDS)]

    def _sweep_one_shard(self, now: float) -> None:
        index = self._next_shard
        shard = self._shards[index]
        oldest_counting = now - WINDOW
        live = {client: times for client, times in shard.items() if _newest(times) > oldest_counting}
        if len(live) < len(shard):
            self._shards[index] = live
        self._next_shard = (index + 1) % _SHARDS
        self._swept_at = now


def _append_if_room(times: bytearray, now: float, limit: int) -> bool:
    if _newest(times) > now:
        # The clock was set back. Left alone, times in the future would count for longer than a window.
        times[:] = b"".join(_TIME.pack(min(at, now)) for (at,) in _TIME.iter_unpack(times))
    oldest_counting = now - WINDOW
    if _newest(times, limit) > oldest_counting:
        return False
    # Two go for one that comes: aged-out times vanish in the end, and no call has many to remove.
    for _ in range(2):
        if times and _TIME.unpack_from(times)[0] <= oldest_counting:
            del times[: _TIME.size]
    times += _TIME.pack(now)
    return True


def _newest(times: bytearray, rank: int = 1) -> float:
    """Return the newest of `times`, or the one of another `rank`, counted from 1; minus infinity when there is none."""
    offset = len(times) - rank * _TIME.size
    return float(_TIME.unpack_from(times, offset)[0]) if offset >= 0 else -math.inf
