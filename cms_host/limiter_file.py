"""The limiter of several processes on one machine: a scratch SQLite file in which all of them count.

It uses the standard library's sqlite3 directly: nothing in the file outlives the window, it has no
migrations, and it is part of no database of the service.
"""

import fcntl
import logging
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cms_host.limiter_memory import WINDOW, MemoryLimiter, TimeSource

_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = OFF",
    "PRAGMA wal_autocheckpoint = 250",
)
_CREATE = "CREATE TABLE IF NOT EXISTS hits (client TEXT, n INTEGER, at REAL, PRIMARY KEY (client, n)) WITHOUT ROWID"
_NEWEST = "SELECT n, at FROM hits WHERE client = ? ORDER BY n DESC LIMIT 1"
_TIME_OF = "SELECT at FROM hits WHERE client = ? AND n = ?"
_INSERT = "INSERT INTO hits (client, n, at) VALUES (?, ?, ?)"
_PULL_BACK = "UPDATE hits SET at = :now WHERE client = :client AND at > :now"
_AFTER_HAND = "SELECT client, n, at FROM hits WHERE (client, n) > (?, ?) ORDER BY client, n LIMIT ?"
_DELETE = "DELETE FROM hits WHERE client = ? AND n = ?"

#: Not a database, broken inside, of another layout, or barred by its permissions.
_DAMAGE = {
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_ERROR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
}

_SWEEP_EVERY = 16
_SWEEP_ROWS = 32
_SPINS = 20
_SPIN_PAUSE = 50e-6

log = logging.getLogger(__name__)


class SharedFileLimiter:
    """Exactly `limit` requests pass, whatever the number of processes that share the file at `path`.

    `admit` runs on the event loop's thread and does its file work there, on purpose: it takes about 15 µs
    (9 µs when it refuses), less than handing it to another thread would. That holds on a local disk, and is
    steadiest in a folder kept in memory (`/run`, `/dev/shm`), where no other program's disk traffic can hold
    up a write.

    Processes exclude each other by SQLite's write lock, held for some 10 µs. Who finds it taken tries again
    at once, for `patience` seconds at most. When it stays taken, or the file can't be used (disk full), an
    error is logged and this process counts in its own memory for the next `pause` seconds: the service goes
    on, and until the file is back each process admits up to `limit` by itself.

    Rows are numbered per client without gaps, so that the row that decides is found by its number and no
    row is counted. Aged-out rows go in passing: every 16th admitted request looks at the next 32 rows.

    The file matters at run time only, is readable by its owner alone, and is made anew when it is found
    damaged on opening. Each process opens its own; a limiter can't be carried over a fork. All processes must
    use the same clock.

    Raises `OSError` or `sqlite3.Error` when the file can be neither opened nor made.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        clock: TimeSource = time.time,
        *,
        patience: float = 0.25,
        pause: float = 5.0,
    ) -> None:
        self._path = Path(path)
        self._clock = clock
        self._patience = patience
        self._pause = pause
        self._lock = threading.Lock()
        self._memory = MemoryLimiter(clock)
        self._resume_at = 0.0
        self._admitted = 0
        self._hand = ("", 0)
        self._db: sqlite3.Connection | None = _open(self._path)

    def admit(self, client: str, limit: int) -> bool:
        if limit == 0:
            return True
        with self._lock:
            if self._resume_at and time.monotonic() < self._resume_at:
                return self._memory.admit(client, limit)
            try:
                return self._admit_in_file(client, limit)
            except (sqlite3.Error, OSError) as error:
                self._leave_file_alone(error)
                return self._memory.admit(client, limit)

    def close(self) -> None:
        with self._lock:
            self._memory.close()
            self._disconnect()

    def _admit_in_file(self, client: str, limit: int) -> bool:
        if self._db is None:
            self._db = _open(self._path)
        db = self._db
        _begin(db, self._patience)
        try:
            admitted = self._insert_if_room(db, client, limit)
            db.execute("COMMIT")
        finally:
            if db.in_transaction:
                db.execute("ROLLBACK")
        self._resume_at = 0.0
        return admitted

    def _insert_if_room(self, db: sqlite3.Connection, client: str, limit: int) -> bool:
        # The clock is read under the lock, so that the times of all processes grow with the rows' numbers.
        now = self._clock()
        newest, at = db.execute(_NEWEST, (client,)).fetchone() or (0, now)
        if at > now:
            # The clock was set back. Left alone, times in the future would count for longer than a window.
            db.execute(_PULL_BACK, {"now": now, "client": client})
        if newest >= limit:
            row = db.execute(_TIME_OF, (client, newest - limit + 1)).fetchone()
            if row is not None and row[0] > now - WINDOW:
                return False
        db.execute(_INSERT, (client, newest + 1, now))
        self._admitted += 1
        if self._admitted % _SWEEP_EVERY == 0:
            self._sweep(db, now)
        return True

    def _sweep(self, db: sqlite3.Connection, now: float) -> None:
        rows = db.execute(_AFTER_HAND, (*self._hand, _SWEEP_ROWS)).fetchall()
        db.executemany(_DELETE, [(client, n) for client, n, at in rows if at <= now - WINDOW])
        self._hand = rows[-1][:2] if len(rows) == _SWEEP_ROWS else ("", 0)

    def _leave_file_alone(self, error: Exception) -> None:
        log.error("rate-limit file %s: %s; counting in memory for %g s", self._path, error, self._pause)
        self._resume_at = time.monotonic() + self._pause
        if _is_damage(error):
            # Opening the file again is what repairs it.
            self._disconnect()

    def _disconnect(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None


def _begin(db: sqlite3.Connection, patience: float) -> None:
    """Take the write lock, trying again for at most `patience` seconds while another process has it.

    SQLite's own waiting begins with a sleep of 1 ms, a hundred times as long as the lock is held.
    """
    deadline = 0.0
    tries = 0
    while True:
        try:
            db.execute("BEGIN IMMEDIATE")
            return
        except sqlite3.OperationalError as error:
            if _code(error) != sqlite3.SQLITE_BUSY or (tries and time.monotonic() > deadline):
                raise
        if tries == 0:
            deadline = time.monotonic() + patience
        tries += 1
        if tries > _SPINS:
            time.sleep(_SPIN_PAUSE)


def _open(path: Path) -> sqlite3.Connection:
    with _one_opener(path):
        try:
            return _connect(path)
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise
            log.warning("rate-limit file %s can't be used (%s) and is made anew", path, error)
        for suffix in ("", "-wal", "-shm"):
            Path(f"{path}{suffix}").unlink(missing_ok=True)
        return _connect(path)


@contextmanager
def _one_opener(path: Path) -> Iterator[None]:
    # Without this, two processes that find a damaged file could each remove what the other has just made.
    descriptor = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _connect(path: Path) -> sqlite3.Connection:
    path.touch(mode=0o600)
    db = sqlite3.connect(path, timeout=5.0, isolation_level=None, check_same_thread=False)
    try:
        for pragma in _PRAGMAS:
            db.execute(pragma)
        db.execute(_CREATE)
        db.execute(_NEWEST, ("",))
        problem = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if problem != "ok":
            raise sqlite3.DatabaseError(problem)
        db.execute("PRAGMA busy_timeout = 0")
    except BaseException:
        db.close()
        raise
    return db


def _is_damage(error: Exception) -> bool:
    """Tell a file that must be made anew from one that is merely busy, or on a full disk."""
    return isinstance(error, sqlite3.DatabaseError) and _code(error) in _DAMAGE


def _code(error: sqlite3.Error) -> int:
    # The low byte of an extended error code is the primary one. What quick_check reports has no code.
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
