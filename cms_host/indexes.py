"""Stored copies that are derived from other rows: told whether they agree, and made anew (`check`, `reindex`)."""

from collections.abc import Callable, Sequence
from typing import Protocol

from cms_host.db import Reader
from cms_host.services import UnitOfWork

#: Told again and again while an index is rebuilt: how much is done, of how much in all.
Progress = Callable[[int, int], None]


class StoredIndex(Protocol):
    """What a plugin keeps beside its records to find or count them, and could make again from them."""

    #: Unique; begins with the plugin's name (`posts.search`).
    name: str

    async def verify(self, db: Reader) -> Sequence[str]:
        """What disagrees with the records, in words, a handful of lines at most; empty when nothing does.

        Others may be writing meanwhile: whatever is compared must be read by one statement.
        """

    async def rebuild(self, unit: UnitOfWork, progress: Progress) -> None:
        """Make it agree with the records, in transactions that are short enough for others to write in between."""
