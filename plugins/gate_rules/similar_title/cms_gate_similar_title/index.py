"""The index of titles: signatures over the trigrams of what they fold to."""

from typing import Any

from cms_gate_similar_title.tables import bands, titles
from cms_host.api import BandedIndex, IndexUpkeep, PostChange, Shape, signature
from cms_posts.api import ListedPosts

#: Three rows and not more: six of forty letters changed leave a third of the trigrams, and a title has few of them.
SHAPE = Shape(bands=24, rows=3)


class TitleIndex(BandedIndex):
    """Finds posts whose folded titles share much with another."""

    def __init__(self) -> None:
        super().__init__(titles, bands, SHAPE)

    def touches(self, change: PostChange) -> bool:
        return change.title_changed

    async def describe(self, change: PostChange) -> dict[str, Any] | None:
        signed = sign(change.folded_title)
        return None if signed is None else {"signature": signed, "folded_title": change.folded_title}


def sign(folded_title: str) -> bytes | None:
    """The signature of a title's trigrams; None where it has fewer than three characters."""
    trigrams = {folded_title[start : start + 3] for start in range(len(folded_title) - 2)}
    return signature(trigrams, SHAPE) if trigrams else None


def upkeep(index: TitleIndex) -> IndexUpkeep:
    """What `cms-host check` and `cms-host reindex` ask."""
    return IndexUpkeep("gate-similar-title", index, ListedPosts())
