"""The limiter's rules, kept by both of its kinds, and the memory that one of them takes."""

import gc
import sys
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple, cast
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cms_host.limiter import Limiter, MemoryLimiter, SharedFileLimiter

HOUR = 3600


class FakeTime:
    """A clock that moves only when told to."""

    def __init__(self, now: float = 1_700_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


class Bench(NamedTuple):
    limiter: Limiter
    time: FakeTime

    def admitted(self, times: int, limit: int, client: str = "192.0.2.1") -> int:
        return sum(self.limiter.admit(client, limit) for _ in range(times))


def make_memory(_: Path, time: FakeTime) -> Limiter:
    return MemoryLimiter(time)


def make_file(folder: Path, time: FakeTime) -> Limiter:
    return SharedFileLimiter(folder / f"{uuid4()}.sqlite3", time, patience=30)


@pytest.fixture(params=[make_memory, make_file], ids=["memory", "file"])
def make(request: pytest.FixtureRequest) -> Callable[[Path, FakeTime], Limiter]:
    return cast("Callable[[Path, FakeTime], Limiter]", request.param)


@pytest.fixture
def bench(make: Callable[[Path, FakeTime], Limiter], tmp_path: Path) -> Iterator[Bench]:
    time = FakeTime()
    limiter = make(tmp_path, time)
    yield Bench(limiter, time)
    limiter.close()


@pytest.mark.shows("limit.refused")
def test_hundredth_request_passes_and_the_next_is_refused(bench: Bench) -> None:
    assert [bench.limiter.admit("192.0.2.1", 100) for _ in range(102)] == [True] * 100 + [False] * 2


@pytest.mark.shows("limit.slides")
def test_request_ages_out_exactly_after_an_hour(bench: Bench) -> None:
    start = bench.time.now
    for minute in (0, 1, 2):
        bench.time.now = start + 60 * minute
        assert bench.limiter.admit("192.0.2.1", 3)
    bench.time.now = start + HOUR - 0.001
    assert not bench.limiter.admit("192.0.2.1", 3)
    bench.time.now = start + HOUR
    assert bench.admitted(2, 3) == 1
    bench.time.now = start + HOUR + 60
    assert bench.admitted(2, 3) == 1


@pytest.mark.shows("limit.refused.free")
def test_refused_request_does_not_push_the_window_on(bench: Bench) -> None:
    bench.admitted(5, 5)
    for _ in range(59):
        bench.time.now += 60
        assert not bench.limiter.admit("192.0.2.1", 5)
    bench.time.now += 60
    assert bench.admitted(6, 5) == 5


@pytest.mark.shows("limit.address")
def test_clients_do_not_share_a_counter(bench: Bench) -> None:
    assert bench.admitted(4, 3, "192.0.2.1") == 3
    assert bench.admitted(4, 3, "192.0.2.2") == 3
    assert bench.admitted(4, 3, "2001:db8::1") == 3


def test_raised_limit_admits_only_the_difference(bench: Bench) -> None:
    assert bench.admitted(60, 50) == 50
    assert bench.admitted(60, 60) == 10


def test_lowered_limit_counts_the_whole_history(bench: Bench) -> None:
    assert bench.admitted(50, 50) == 50
    bench.time.now += 1800
    assert bench.admitted(5, 60) == 5
    assert bench.admitted(5, 10) == 0
    bench.time.now += 1800
    assert bench.admitted(20, 10) == 5


def test_limit_of_zero_admits_all_and_records_nothing(bench: Bench) -> None:
    assert bench.admitted(500, 0) == 500
    assert bench.admitted(20, 10) == 10


def test_clock_set_back_locks_nobody_out_for_longer_than_an_hour(bench: Bench) -> None:
    bench.time.now += 86_400
    bench.admitted(10, 10)
    bench.time.now -= 86_400
    assert bench.admitted(1, 10) == 0
    bench.time.now += HOUR
    assert bench.admitted(20, 10) == 10


@pytest.mark.parametrize("make_limiter", [make_memory, make_file])
@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from([0, 0, 0, 0.25, 1, 59.5, 600, 1800, 3599, 3600, 3601]),
            st.sampled_from(["192.0.2.1", "192.0.2.2", "2001:db8::1"]),
            st.integers(0, 6),
        ),
        max_size=120,
    )
)
def test_decides_like_a_plain_list_of_times(
    make_limiter: Callable[[Path, FakeTime], Limiter],
    tmp_path_factory: pytest.TempPathFactory,
    requests: list[tuple[float, str, int]],
) -> None:
    time = FakeTime()
    limiter = make_limiter(tmp_path_factory.getbasetemp(), time)
    model: dict[str, list[float]] = {}
    for pause, client, limit in requests:
        time.now += pause
        times = [at for at in model.get(client, []) if time.now - at < HOUR]
        expected = limit == 0 or len(times) < limit
        if expected and limit:
            model[client] = [*times, time.now]
        assert limiter.admit(client, limit) is expected
    limiter.close()


def test_long_history_of_many_clients_stays_exact(bench: Bench) -> None:
    model: dict[str, list[float]] = {}
    for n in range(12_000):
        bench.time.now += (0, 0.5, 7)[n * n % 11 % 3]
        client = f"192.0.2.{n**3 % 257 % (1 + n % 31)}"
        times = [at for at in model.get(client, []) if bench.time.now - at < HOUR]
        model[client] = [*times, bench.time.now] if len(times) < 40 else times
        assert bench.limiter.admit(client, 40) is (len(times) < 40)


@pytest.fixture
def _hasty_threads() -> Iterator[None]:
    """Threads take turns so often that they meet in the middle of a call."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("_hasty_threads")
@pytest.mark.parametrize(("limit", "calls"), [(50, 1), (500, 10)])
def test_64_parallel_callers_pass_exactly_the_limit(bench: Bench, limit: int, calls: int) -> None:
    barrier = threading.Barrier(64)

    def call(_: int) -> int:
        barrier.wait()
        return bench.admitted(calls, limit)

    with ThreadPoolExecutor(64) as pool:
        assert sum(pool.map(call, range(64))) == limit


def test_largest_limit_is_still_countable(bench: Bench) -> None:
    assert bench.admitted(5, sys.maxsize) == 5


def distinct_clients(count: int) -> Iterator[str]:
    return (f"2001:db8:{n >> 16:x}:{n & 0xFFFF:x}::1" for n in range(count))


@pytest.fixture
def traced() -> Iterator[Callable[[], int]]:
    """Tells how many bytes more than at first are allocated."""
    tracemalloc.start()
    gc.collect()
    baseline = tracemalloc.get_traced_memory()[0]
    yield lambda: tracemalloc.get_traced_memory()[0] - baseline
    tracemalloc.stop()


def test_hundred_thousand_clients_cost_under_256_bytes_each_and_are_forgotten(traced: Callable[[], int]) -> None:
    time = FakeTime()
    limiter = MemoryLimiter(time)
    empty = traced()
    for client in distinct_clients(100_000):
        limiter.admit(client, 100)
    full = traced() - empty
    assert full / 100_000 < 256
    time.now += HOUR
    limiter.admit("192.0.2.1", 10_000)
    assert traced() - empty > 0.99 * full, "a single call does no more than its share of the clearing"
    for _ in range(2048):
        time.now += 0.25
        limiter.admit("192.0.2.1", 10_000)
    assert traced() - empty < 0.01 * full


def test_clients_add_nothing_to_the_work_of_the_garbage_collector() -> None:
    limiter = MemoryLimiter()
    before = len(gc.get_objects())
    for client in distinct_clients(20_000):
        limiter.admit(client, 100)
    assert len(gc.get_objects()) - before < 200


def test_full_counter_survives_a_flood_of_other_clients() -> None:
    time = FakeTime()
    limiter = MemoryLimiter(time)
    bench = Bench(limiter, time)
    bench.admitted(100, 100)
    for client in distinct_clients(20_000):
        time.now += 0.17
        limiter.admit(client, 100)
    assert time.now < FakeTime().now + HOUR
    assert not limiter.admit("192.0.2.1", 100)


def test_memory_of_a_steady_client_does_not_grow(traced: Callable[[], int]) -> None:
    time = FakeTime()
    limiter = MemoryLimiter(time)
    for _ in range(200):
        time.now += 36
        limiter.admit("192.0.2.1", 100)
    after_two_hours = traced()
    for _ in range(20_000):
        time.now += 36
        limiter.admit("192.0.2.1", 100)
    assert traced() - after_two_hours < 4096
