"""A queued article."""

from typing import Any, NamedTuple

#: What an item's status may be. Only what waits can be decided, and that once.
PENDING, APPROVED, REJECTED = STATUSES = ("pending", "approved", "rejected")


class Listed(NamedTuple):
    """An item without its text. Moments are microseconds since the epoch."""

    id: int
    status: str
    title: str
    source: str
    format: str
    author: str
    dated_at: int | None
    is_draft: bool
    created_at: int
    decided_at: int | None
    post_id: int | None


class Item(NamedTuple):
    """All that makes a post of it."""

    id: int
    status: str
    title: str
    format: str
    content: str
    author: str
    dated_at: int | None
    is_draft: bool
    fields: dict[str, Any]
