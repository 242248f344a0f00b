"""Texts as sets of word sequences, and what is said of two of them. Light: worker processes import this."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from cms_host.folding import fold
from cms_host.post_index.minhash import Shape, signature

#: Words that follow each other in one shingle (contract 4, similar_content).
SHINGLE = 5
#: A word is a run of letters and digits, as in search; punctuation does not count.
_WORD = re.compile(r"[^\W_]+")


class Sketch(NamedTuple):
    """What is kept of a text for comparing it."""

    signature: bytes
    #: Different shingles.
    size: int


def shingles(text: str) -> set[str]:
    """Every five words that follow each other in the folded text; none where it has fewer."""
    words = _WORD.findall(fold(text))
    return {" ".join(words[start : start + SHINGLE]) for start in range(len(words) - SHINGLE + 1)}


def sketch(text: str, shape: Shape) -> Sketch | None:
    """The sketch of a text; None for one without a shingle."""
    found = shingles(text)
    return Sketch(signature(found, shape), len(found)) if found else None


def overlaps(text: str, others: Sequence[str]) -> list[float]:
    """The exact Jaccard similarity of the text's shingles with those of each other text, 0 to 1."""
    mine = shingles(text)
    return [_jaccard(mine, shingles(other)) for other in others]


def _jaccard(one: set[str], other: set[str]) -> float:
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0
