"""What SQLite itself has to say of a database file."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path

#: Lines of each kind that are told; a file that is broken has thousands.
MOST = 10


def file_faults(path: Path) -> Sequence[str]:
    """Pages that do not hold together, and rows that refer to what is not there; nothing when all is well.

    :raises sqlite3.Error: the file cannot be read at all.
    """
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA query_only=ON")
        told = [line for (line,) in connection.execute(f"PRAGMA integrity_check({MOST})") if line != "ok"]
        dangling = islice(connection.execute("PRAGMA foreign_key_check"), MOST)
        return [*told, *(f"row {row} of {name} refers to a row of {of} that is gone" for name, row, of, _ in dangling)]
