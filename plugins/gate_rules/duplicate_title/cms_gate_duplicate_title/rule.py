"""Refuses a title that another post has already."""

from collections.abc import Sequence

from cms_gate_duplicate_title.index import TitleIndex
from cms_host.api import Asked, Candidate, Finding, GateRule, Reader


class DuplicateTitle(GateRule):
    """Refuses a title that another published or scheduled post has already.

    *Anti-pattern*: two posts called `Weekly news`; readers and search engines take one for the other. Case, accents of
    Turkish letters, width and runs of space make no difference: `İĞNE OYASI` and `igne oyasi` are one title.

    *Best practice*: say in the title what this post has that the other has not: the date, the place, the point of view.

    A scheduled post is compared with what is published and with what is due before it.
    """

    code = "duplicate_title"
    kind = "block"

    def __init__(self, index: TitleIndex) -> None:
        self._index = index

    def asks(self, candidate: Candidate) -> Sequence[Asked]:
        return [self._index.to_same(candidate)]

    async def check(self, candidate: Candidate, db: Reader) -> Sequence[Finding]:
        same = await self._index.same(db, candidate)
        if not same:
            return []
        return [
            Finding(
                message_tr=f"Aynı başlık {same[0]} numaralı yazıda var.",
                message_en=f"Post {same[0]} has the same title.",
                measured=candidate.title,
                related_ids=same,
                field="title",
            )
        ]
