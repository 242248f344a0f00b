"""The index of texts: signatures over their five-word shingles."""

from typing import Any

from cms_gate_similar_content.sketches import SHAPE, Sketches
from cms_gate_similar_content.tables import bands, texts
from cms_host.api import BandedIndex, IndexUpkeep, PostChange, Workers
from cms_posts.api import ListedPosts


class TextIndex(BandedIndex):
    """Finds posts whose texts share much with another."""

    def __init__(self, sketches: Sketches, workers: Workers) -> None:
        super().__init__(texts, bands, SHAPE)
        self.sketches = sketches
        self._workers = workers

    def touches(self, change: PostChange) -> bool:
        return change.text_changed

    async def describe(self, change: PostChange) -> dict[str, Any] | None:
        made = await self.sketches.of(self._workers, change.text)
        return None if made is None else made._asdict()


def upkeep(index: TextIndex) -> IndexUpkeep:
    """What `cms-host check` and `cms-host reindex` ask."""
    return IndexUpkeep("gate-similar-content", index, ListedPosts())
