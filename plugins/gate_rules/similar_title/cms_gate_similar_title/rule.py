"""Refuses a title that is nearly that of another post."""

from collections.abc import Iterator, Sequence

from rapidfuzz import fuzz

from cms_gate_similar_title.index import TitleIndex, sign
from cms_host.api import Asked, Candidate, Finding, GateRule, Reader, Setting, Settings

#: Below 0.75 too many pairs would share no band.
THRESHOLD = Setting(
    "gate.similar_title.threshold",
    0.85,
    "Similarity to the title of another post, 0 to 1, from which on a publish is refused.",
    minimum=0.75,
    maximum=1.0,
)
#: Most posts that are told of one title.
_TOLD = 10


class SimilarTitle(GateRule):
    """Refuses a title that is nearly that of another published or scheduled post.

    *Anti-pattern*: `Ten walks along the harbour` beside `10 walks along the harbour`: the same post in other words, and
    neither is found by those who look for the other.

    *Best practice*: where two posts have so much in common, extend the first one; otherwise name what sets them apart.

    What is measured is the share of characters that the two folded titles have in common, in order (rapidfuzz's ratio).
    The same title is left to `duplicate_title`, and titles of fewer than three characters are not compared. Posts to
    compare with come from an index of signatures (MinHash over trigrams), which finds at least 98 of 100 pairs above
    the default threshold; measured were 99.9 of 100 made by editing headlines, and all of 104 that a sample of 2,000
    headlines held. At a threshold of 0.75 it is fewer. Of posts that share a phrase with hundreds of others the newest
    100 are looked at.

    A scheduled post is compared with what is published and with what is due before it.
    """

    code = "similar_title"
    kind = "block"

    def __init__(self, settings: Settings, index: TitleIndex) -> None:
        self._settings = settings
        self._index = index

    async def prepare(self, candidate: Candidate) -> bytes | None:
        """The signature of the title."""
        return sign(candidate.folded_title)

    def asks(self, candidate: Candidate) -> Sequence[Asked]:
        return [] if candidate.prepared is None else [self._index.to_nearest(candidate.prepared, candidate)]

    async def check(self, candidate: Candidate, db: Reader) -> Sequence[Finding]:
        if candidate.prepared is None:
            return []
        near = await self._index.nearest(db, candidate.prepared, candidate)
        titles = {row["post_id"]: row["folded_title"] for row in near}
        threshold = self._settings[THRESHOLD]
        found = sorted(_too_similar(candidate.folded_title, titles, threshold), reverse=True)[:_TOLD]
        if not found:
            return []
        (measured, first), limit = found[0], f"{threshold * 100:g}"
        percent = int(measured * 100)
        return [
            Finding(
                message_tr=f"Başlık, {first} numaralı yazının başlığına %{percent} benziyor; sınır %{limit}.",
                message_en=f"The title is {percent} % the same as that of post {first}; the limit is {limit} %.",
                measured=round(measured, 4),
                required=threshold,
                related_ids=tuple(post_id for _, post_id in found),
                field="title",
            )
        ]


def _too_similar(title: str, others: dict[int, str], threshold: float) -> Iterator[tuple[float, int]]:
    for post_id, other in others.items():
        similarity = fuzz.ratio(title, other) / 100
        if other != title and similarity >= threshold:
            yield similarity, post_id
