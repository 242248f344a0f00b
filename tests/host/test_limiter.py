"""The limiter, alone: exactness, memory, and what happens to its file."""

import gc
import logging
import sqlite3
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import NamedTuple, cast
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cms_host.limiter import API_RATE_LIMIT, Limiter, MemoryLimiter, SharedFileLimiter, current_limit

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


def test_hundredth_request_passes_and_the_next_is_refused(bench: Bench) -> None:
    assert [bench.limiter.admit("192.0.2.1", 100) for _ in range(102)] == [True] * 100 + [False] * 2


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


def test_refused_request_does_not_push_the_window_on(bench: Bench) -> None:
    bench.admitted(5, 5)
    for _ in range(59):
        bench.time.now += 60
        assert not bench.limiter.admit("192.0.2.1", 5)
    bench.time.now += 60
    assert bench.admitted(6, 5) == 5


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


CONTENDER = """
import sys
from cms_host.limiter import SharedFileLimiter
limiter = SharedFileLimiter(sys.argv[1], patience=60)
print("ready", flush=True)
sys.stdin.readline()
print(sum(limiter.admit("192.0.2.1", int(sys.argv[2])) for _ in range(int(sys.argv[3]))))
limiter.close()
"""


def start_contender(path: Path, limit: int, calls: int) -> subprocess.Popen[str]:
    arguments = [sys.executable, "-c", CONTENDER, str(path), str(limit), str(calls)]
    return subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize(("limit", "calls"), [(50, 64), (2000, 1500)])
def test_three_processes_together_pass_exactly_the_limit(tmp_path: Path, limit: int, calls: int) -> None:
    processes = [start_contender(tmp_path / "limit.sqlite3", limit, calls) for _ in range(3)]
    try:
        assert all(process.stdout and process.stdout.readline() == "ready\n" for process in processes)
        for process in processes:
            assert process.stdin
            process.stdin.write("go\n")
            process.stdin.flush()
        assert sum(int(process.communicate(timeout=60)[0]) for process in processes) == limit
    finally:
        for process in processes:
            process.kill()
            process.wait()


def test_process_killed_while_counting_leaves_the_file_whole(tmp_path: Path) -> None:
    path = tmp_path / "limit.sqlite3"
    watcher = SharedFileLimiter(path, patience=60)
    process = start_contender(path, 10**6, 10**6)
    assert process.stdin
    assert process.stdout
    process.stdout.readline()
    process.stdin.write("go\n")
    process.stdin.flush()
    deadline = monotonic() + 30
    while stored_rows(path) < 200:
        assert monotonic() < deadline
    process.kill()
    process.communicate()
    assert not watcher.admit("192.0.2.1", 200)
    assert watcher.admit("192.0.2.2", 1)
    watcher.close()


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


def stored_rows(path: Path) -> int:
    db = sqlite3.connect(path)
    try:
        return int(db.execute("SELECT count(*) FROM hits").fetchone()[0])
    finally:
        db.close()


def test_file_sheds_aged_out_rows_while_it_is_used(tmp_path: Path) -> None:
    time = FakeTime()
    path = tmp_path / "limit.sqlite3"
    limiter = SharedFileLimiter(path, time)
    for client in distinct_clients(2000):
        limiter.admit(client, 100)
    assert stored_rows(path) == 2000
    time.now += HOUR
    for _ in range(3000):
        limiter.admit("192.0.2.1", 10_000)
    assert stored_rows(path) == 3000
    limiter.close()


def test_file_keeps_the_history_over_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "limit.sqlite3"
    for expected in (3, 0):
        limiter = SharedFileLimiter(path, FakeTime())
        assert sum(limiter.admit("192.0.2.1", 3) for _ in range(5)) == expected
        limiter.close()


def test_file_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    limiter = SharedFileLimiter(tmp_path / "limit.sqlite3")
    limiter.admit("192.0.2.1", 3)
    assert {path.stat().st_mode & 0o077 for path in tmp_path.iterdir()} == {0}
    limiter.close()


def write_garbage(path: Path) -> None:
    path.write_bytes(b"not a database, " * 1000)


def write_other_layout(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE hits (client TEXT, times BLOB)")
    db.close()


def write_broken_pages(path: Path) -> None:
    limiter = SharedFileLimiter(path, FakeTime())
    for client in distinct_clients(500):
        limiter.admit(client, 100)
    limiter.close()
    content = bytearray(path.read_bytes())
    content[4096:12288] = b"\xaa" * 8192
    path.write_bytes(content)


@pytest.mark.parametrize("damage", [write_garbage, write_other_layout, write_broken_pages])
def test_damaged_file_is_made_anew_on_opening(
    damage: Callable[[Path], None], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "limit.sqlite3"
    damage(path)
    limiter = SharedFileLimiter(path)
    assert sum(limiter.admit("192.0.2.1", 3) for _ in range(5)) == 3
    assert "made anew" in caplog.text
    limiter.close()
    assert stored_rows(path) == 3


def test_path_that_can_not_be_a_file_is_an_error_at_once(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=str(tmp_path)):
        SharedFileLimiter(tmp_path / "missing" / "limit.sqlite3")


def test_held_lock_stalls_no_request_and_the_file_is_used_again_after_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "limit.sqlite3"
    limiter = SharedFileLimiter(path, FakeTime(), patience=0.01, pause=0)
    assert limiter.admit("192.0.2.1", 3)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with caplog.at_level(logging.ERROR):
        assert [limiter.admit("192.0.2.1", 3) for _ in range(5)] == [True] * 3 + [False] * 2
    assert "database is locked" in caplog.text
    holder.execute("ROLLBACK")
    holder.close()
    assert [limiter.admit("192.0.2.1", 3) for _ in range(3)] == [True, True, False]
    limiter.close()


def test_failing_file_is_left_alone_for_the_pause(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "limit.sqlite3"
    limiter = SharedFileLimiter(path, FakeTime(), patience=0.01, pause=600)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    assert sum(limiter.admit("192.0.2.1", 100) for _ in range(200)) == 100
    assert len(caplog.records) == 1
    holder.close()
    limiter.close()


def test_full_disk_counts_in_memory_and_heals(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "limit.sqlite3"
    limiter = SharedFileLimiter(path, FakeTime(), pause=0)
    for client in distinct_clients(200):
        assert limiter.admit(client, 1)
    fill_disk(limiter)
    assert all(limiter.admit(f"198.51.100.{n}", 1) for n in range(500))
    assert "database or disk is full" in caplog.text
    fill_disk(limiter, full=False)
    assert not limiter.admit("2001:db8:0:0::1", 1)
    assert limiter.admit("203.0.113.1", 1)
    limiter.close()


def fill_disk(limiter: SharedFileLimiter, *, full: bool = True) -> None:
    """Forbid SQLite to let the file grow, which it reports as it does a full disk."""
    db = limiter._db
    assert db
    pages = db.execute("PRAGMA page_count").fetchone()[0] if full else 2**30
    db.execute(f"PRAGMA max_page_count = {pages}")


def test_file_that_breaks_in_use_is_made_anew(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "limit.sqlite3"
    limiter = SharedFileLimiter(path, FakeTime(), pause=0)
    vandal = sqlite3.connect(path)
    vandal.execute("DROP TABLE hits")
    vandal.close()
    assert sum(limiter.admit("192.0.2.1", 3) for _ in range(20)) == 4
    assert "no such table" in caplog.text
    limiter.close()
    assert stored_rows(path) == 3


@pytest.mark.parametrize(
    ("environment", "configured", "expected"),
    [
        ({}, None, API_RATE_LIMIT),
        ({}, 7, 7),
        ({}, 0, 0),
        ({"API_RATE_LIMIT": "250"}, 7, 250),
        ({"API_RATE_LIMIT": " 250 "}, None, 250),
        ({"API_RATE_LIMIT": "0"}, 7, 0),
        ({"API_RATE_LIMIT": "9" * 30}, 7, sys.maxsize),
    ],
)
def test_environment_wins_over_configuration_over_constant(
    environment: dict[str, str], configured: int | None, expected: int
) -> None:
    assert current_limit(environment, configured) == expected


@pytest.mark.parametrize("value", ["", "many", "-1", "1.5", "1e3", "1_000", "+5", "١٢", "0x10", "9" * 5000])
def test_value_that_is_no_whole_number_counts_as_the_default_and_is_logged_once(
    value: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert [current_limit({"API_RATE_LIMIT": value}, 7) for _ in range(3)] == [API_RATE_LIMIT] * 3
    assert len(caplog.records) == 1
    assert "environment variable API_RATE_LIMIT" in caplog.text
    assert len(caplog.text) < 400


def test_configured_value_below_zero_counts_as_the_default(caplog: pytest.LogCaptureFixture) -> None:
    assert current_limit({}, -3) == API_RATE_LIMIT
    assert "configuration value api_rate_limit is -3" in caplog.text


def test_largest_limit_is_still_countable(bench: Bench) -> None:
    assert bench.admitted(5, sys.maxsize) == 5
