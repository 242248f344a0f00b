"""The limiter's file: several processes, damage, and what happens when the file can't be used."""

import logging
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic

import pytest

from cms_host.limiter import SharedFileLimiter


def noon() -> float:
    """A clock that stands still."""
    return 1_700_000_000.0


def distinct_clients(count: int) -> Iterator[str]:
    return (f"2001:db8::{n:x}" for n in range(count))


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


def stored_rows(path: Path) -> int:
    db = sqlite3.connect(path)
    try:
        return int(db.execute("SELECT count(*) FROM hits").fetchone()[0])
    finally:
        db.close()


def test_file_sheds_aged_out_rows_while_it_is_used(tmp_path: Path) -> None:
    now = [noon()]
    path = tmp_path / "limit.sqlite3"
    limiter = SharedFileLimiter(path, lambda: now[0])
    for client in distinct_clients(2000):
        limiter.admit(client, 100)
    assert stored_rows(path) == 2000
    now[0] += 3600
    for _ in range(3000):
        limiter.admit("192.0.2.1", 10_000)
    assert stored_rows(path) == 3000
    limiter.close()


def test_file_keeps_the_history_over_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "limit.sqlite3"
    for expected in (3, 0):
        limiter = SharedFileLimiter(path, noon)
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
    limiter = SharedFileLimiter(path, noon)
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
    limiter = SharedFileLimiter(path, noon, patience=0.01, pause=0)
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
    limiter = SharedFileLimiter(path, noon, patience=0.01, pause=600)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    assert sum(limiter.admit("192.0.2.1", 100) for _ in range(200)) == 100
    assert len(caplog.records) == 1
    holder.close()
    limiter.close()


def test_full_disk_counts_in_memory_and_heals(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "limit.sqlite3"
    limiter = SharedFileLimiter(path, noon, pause=0)
    for client in distinct_clients(200):
        assert limiter.admit(client, 1)
    fill_disk(limiter)
    assert all(limiter.admit(f"198.51.100.{n}", 1) for n in range(500))
    assert "database or disk is full" in caplog.text
    fill_disk(limiter, full=False)
    assert not limiter.admit("2001:db8::1", 1)
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
    limiter = SharedFileLimiter(path, noon, pause=0)
    vandal = sqlite3.connect(path)
    vandal.execute("DROP TABLE hits")
    vandal.close()
    assert sum(limiter.admit("192.0.2.1", 3) for _ in range(20)) == 4
    assert "no such table" in caplog.text
    limiter.close()
    assert stored_rows(path) == 3
