"""What was found, as clients see it (contract 5, search)."""

from collections.abc import Mapping, Sequence
from typing import Any

from cms_host.api import Hit, Rank, Sought
from cms_search.excerpts import excerpt
from cms_search.marks import find_marks

#: Digits of a score: what lies beyond tells nothing.
DIGITS = 6


def found_records(sought: Sought, hits: Sequence[tuple[Rank, Hit]]) -> list[Mapping[str, Any]]:
    """The records of one page, in its order. Takes milliseconds for each long text: not for the event loop."""
    return [_record(sought, rank, hit) for rank, hit in hits]


def _record(sought: Sought, rank: Rank, hit: Hit) -> Mapping[str, Any]:
    return {
        "id": rank.id,
        "type": hit.type,
        "title": hit.title,
        "slug": hit.slug,
        "url": hit.url,
        "excerpt": excerpt(hit.text, find_marks(hit.text, sought)),
        "score": round(rank.score, DIGITS),
    }
