"""Which process writes to a SQLite file next.

SQLite lets one process write at a time and tells nobody that it is free again: those who want to write have to look.
A process that writes without a pause would always be back before anyone else has looked. So whoever waits holds a lock
on a file beside the database, and whoever comes later, the last writer included, lets that one go first.
"""

import fcntl
import logging
import os
import random
import sqlite3
import time
from contextlib import suppress

log = logging.getLogger("cms_host.db")
#: Seconds between two looks whether another process has ended its transaction; only one process looks at a time.
SHORTEST_LOOK, LONGEST_LOOK = 0.0002, 0.0006
#: Seconds that one lets another go first. It may have been stopped while it was waiting.
COURTESY = 1.0


class Turn:
    """Begins write transactions, one process at a time and first come, first served.

    :param connection: for writing; it must not wait by itself (`busy_timeout` 0).
    :param path: of the file to lock; where it can't be opened, the processes take what turn they get.
    :param patience: seconds to wait for other processes.
    """

    def __init__(self, connection: sqlite3.Connection, path: str, patience: float) -> None:
        self._connection = connection
        self._patience = patience
        self._is_next = False
        self._file: int | None = None
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            log.warning("writers can't take turns: %s", error)

    def begin_now(self) -> bool:
        """Begin a transaction if nobody else is in one or about to be; does not wait."""
        return self._go_next() and self._begin()

    def begin(self) -> None:
        """Begin a transaction, waiting for one's turn.

        :raises sqlite3.OperationalError: the others took too long.
        """
        came = time.monotonic()
        while not self.begin_now():
            waited = time.monotonic() - came
            if waited > COURTESY and self._begin():
                return
            if waited > self._patience:
                self._let_pass()
                raise sqlite3.OperationalError("database is locked")
            time.sleep(random.uniform(SHORTEST_LOOK, LONGEST_LOOK))  # noqa: S311 - so that two never look in step.

    def close(self) -> None:
        """Let the file go."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _go_next(self) -> bool:
        if self._file is None or self._is_next:
            return True
        with suppress(BlockingIOError):
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._is_next = True
        return self._is_next

    def _let_pass(self) -> None:
        if self._file is not None and self._is_next:
            fcntl.flock(self._file, fcntl.LOCK_UN)
            self._is_next = False

    def _begin(self) -> bool:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
                return False
            self._let_pass()
            raise
        self._let_pass()
        return True
