"""What neighbours may know of the content queue."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from cms_host.api import Paging


class PendingItem(NamedTuple):
    """An article that waits for an editor, as `queue-pending` tells of it (contract 6)."""

    id: int
    title: str
    #: The file that it came from, as the operator named it.
    source: str
    #: `markdown` or `html`.
    format: str
    #: Microseconds since the epoch: when it was queued.
    created_at: int


class PendingItems(Protocol):
    """What waits in the content queue; asked of a unit of work: `unit.get(PendingItems)`."""

    async def page(self, paging: Paging) -> tuple[Sequence[PendingItem], int]:
        """One page of the items that wait, the one that waits longest first, and how many wait in all.

        What is queued later comes at the end, so nothing moves to another page while a client reads. A page past the
        end is empty.
        """
