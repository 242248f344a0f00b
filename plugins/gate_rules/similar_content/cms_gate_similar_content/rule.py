"""Refuses a text that is nearly that of another post."""

from collections.abc import Iterator, Sequence

from cms_gate_similar_content.index import TextIndex
from cms_gate_similar_content.sketches import LONG
from cms_host.api import (
    Asked,
    Candidate,
    Finding,
    GateRule,
    Reader,
    Setting,
    Settings,
    Sketch,
    Workers,
    overlaps,
    resemblance,
)  # fmt: skip
from cms_posts.api import texts_of

#: Below 0.75 too many pairs would share no band.
THRESHOLD = Setting(
    "gate.similar_content.threshold",
    0.80,
    "Similarity to the text of another post, 0 to 1, from which on a publish is refused.",
    minimum=0.75,
    maximum=1.0,
)
#: How far a signature's 80 bytes may be off: five times their standard deviation at the threshold.
_MARGIN = 0.25
#: Shingles of other posts that are compared at a time; what is found among them is enough.
_AT_A_TIME = 40_000
#: Most posts that are told of one text.
_TOLD = 10


class SimilarContent(GateRule):
    """Refuses a text that is nearly that of another published or scheduled post.

    *Anti-pattern*: last year's article with the year changed: two pages that compete for the same readers.

    *Best practice*: bring the first article up to date, or write what is new and link to it for the rest.

    What is measured is the share of five-word sequences that the two folded texts have in common, of all that either
    has (Jaccard): one word changed in every hundred leaves nine tenths, and moved paragraphs hardly matter. Punctuation
    does not count, and texts of fewer than five words are not compared. Posts to compare with come from an index of
    signatures (MinHash), which finds at least 99.5 of 100 texts above the default threshold; at 0.75 it is fewer. Of
    posts that share a phrase with hundreds of others the newest 100 are looked at.

    A scheduled post is compared with what is published and with what is due before it.
    """

    code = "similar_content"
    kind = "block"

    def __init__(self, settings: Settings, index: TextIndex, workers: Workers) -> None:
        self._settings = settings
        self._index = index
        self._workers = workers

    async def prepare(self, candidate: Candidate) -> Sketch | None:
        """The sketch of the text."""
        return await self._index.sketches.of(self._workers, candidate.text)

    def asks(self, candidate: Candidate) -> Sequence[Asked]:
        mine: Sketch | None = candidate.prepared
        return [] if mine is None else [self._index.to_nearest(mine.signature, candidate)]

    async def check(self, candidate: Candidate, db: Reader) -> Sequence[Finding]:
        threshold = self._settings[THRESHOLD]
        for group in _groups(await self._likely(candidate, db, threshold)):
            texts = await texts_of(db, group)
            scores = zip(await self._scores(candidate.text, list(texts.values())), texts, strict=True)
            found = sorted(((score, post_id) for score, post_id in scores if score >= threshold), reverse=True)
            if found:
                return [_finding(found[:_TOLD], threshold)]
        return []

    async def _likely(self, candidate: Candidate, db: Reader, threshold: float) -> dict[int, int]:
        """The sizes of the posts that may be above the threshold, by id; the most likely ones first."""
        mine: Sketch | None = candidate.prepared
        if mine is None:
            return {}
        likely: list[tuple[float, int, int]] = []
        for row in await self._index.nearest(db, mine.signature, candidate):
            less, more = sorted((mine.size, row["size"]))
            guessed = resemblance(mine.signature, row["signature"])
            # Sets of too different sizes can't be that similar, whatever is in them.
            if less >= threshold * more and guessed >= threshold - _MARGIN:
                likely.append((guessed, row["post_id"], row["size"]))
        return {post_id: size for _, post_id, size in sorted(likely, reverse=True)}

    async def _scores(self, text: str, others: list[str]) -> list[float]:
        if len(text) + sum(map(len, others)) < 2 * LONG:
            return overlaps(text, others)
        return await self._workers.run(overlaps, text, others)


def _groups(sizes: dict[int, int]) -> Iterator[list[int]]:
    """The posts, so many at a time as can be compared in a moment; at least one."""
    group: list[int] = []
    load = 0
    for post_id, size in sizes.items():
        if group and load + size > _AT_A_TIME:
            yield group
            group, load = [], 0
        group.append(post_id)
        load += size
    if group:
        yield group


def _finding(found: list[tuple[float, int]], threshold: float) -> Finding:
    (measured, first), limit = found[0], f"{threshold * 100:g}"
    percent = int(measured * 100)
    return Finding(
        message_tr=f"İçerik, {first} numaralı yazıyla %{percent} aynı; sınır %{limit}.",
        message_en=f"The content is {percent} % the same as that of post {first}; the limit is {limit} %.",
        measured=round(measured, 4),
        required=threshold,
        related_ids=tuple(post_id for _, post_id in found),
        field="content",
    )
