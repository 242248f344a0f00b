"""Who is told of every saved post, inside the transaction that saves it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from cms_host.db import Transaction


@dataclass(frozen=True, slots=True)
class PostChange:
    """One post as it was just saved. A post is *listed* while it is published or scheduled."""

    post_id: int
    was_listed: bool
    #: False for what was deleted, too.
    is_listed: bool
    #: Microseconds since the epoch at which a scheduled post is due; None for any other.
    due_at: int | None
    title: str
    #: The title with case, accents and width taken away (contract 3, folding).
    folded_title: str
    #: True for a new post.
    title_changed: bool
    #: What a reader sees of the content; empty unless the post is listed.
    text: str
    #: True for a new post.
    text_changed: bool


class PostObserver(Protocol):
    """Keeps something in step with posts. What it raises fails the write: nothing may fall out of step unseen."""

    async def saved(self, change: PostChange, tx: Transaction) -> None:
        """A post was saved or deleted in `tx`, which has yet to commit."""

    async def saved_many(self, changes: Sequence[PostChange], tx: Transaction) -> None:
        """Many posts were saved at once (`cms-host demo`)."""
        for change in changes:
            await self.saved(change, tx)
