"""The index of titles: one row for each published or scheduled post."""

from hashlib import blake2b
from typing import Any

from sqlalchemy import bindparam, literal_column, select

from cms_gate_duplicate_title.tables import titles
from cms_host.api import Asked, Candidate, IndexUpkeep, ListedIndex, PostChange, Query, Reader, rival_values, rivals
from cms_posts.api import ListedPosts

#: Most posts that are told of one title.
_TOLD = 10
_SAME = Query(
    select(titles.c.post_id)
    .where(titles.c.key == bindparam("key"), rivals(titles))
    .order_by(titles.c.post_id)
    .limit(literal_column(str(_TOLD)))
)


class TitleIndex(ListedIndex):
    """Finds posts by their folded titles."""

    def __init__(self) -> None:
        super().__init__(titles)

    def touches(self, change: PostChange) -> bool:
        return change.title_changed

    async def describe(self, change: PostChange) -> dict[str, Any]:
        return {"key": key_of(change.folded_title)}

    def to_same(self, candidate: Candidate) -> Asked:
        """Asks for what `same` gives."""
        return _SAME, {"key": key_of(candidate.folded_title), **rival_values(candidate)}

    async def same(self, db: Reader, candidate: Candidate) -> tuple[int, ...]:
        """The ids of posts with the candidate's title, the oldest first."""
        query, values = self.to_same(candidate)
        return tuple(post_id for (post_id,) in await db.all(query, **values))


def key_of(folded_title: str) -> int:
    """63 bits of a hash; that two different titles share them is not to be expected in any store."""
    digest = blake2b(folded_title.encode("utf-8", "surrogateescape"), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


def upkeep(index: TitleIndex) -> IndexUpkeep:
    """What `cms-host check` and `cms-host reindex` ask."""
    return IndexUpkeep("gate-duplicate-title", index, ListedPosts())
