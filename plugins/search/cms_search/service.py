"""Asks every source for its best, and shows the best of all."""

import asyncio
import heapq
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from cms_host.api import (
    FieldError,
    FieldErrors,
    Hit,
    Paging,
    Rank,
    Ranking,
    SearchSource,
    Sought,
    UnitOfWork,
    begun_word,
    parse_terms,
)
from cms_search.records import found_records


class Chosen(NamedTuple):
    """One record of the page, and the number of its source."""

    source: int
    rank: Rank


class SearchService:
    """Searches, for whoever asks: what is found does not depend on it."""

    def __init__(self, unit: UnitOfWork) -> None:
        self._db = unit.db
        self._sources = unit.host.search_sources

    async def page(self, text: str, kind: str | None, paging: Paging) -> tuple[Sequence[Mapping[str, Any]], int]:
        """The records of one page, the best first, and how many there are.

        Equally good ones come in the order of their sources' names, those of one source with the newest first.

        :raises FieldErrors: 422: too much to look for, or records of a type that there is not.
        """
        sought = self._sought(text, kind)
        sources = [each for each in self._sources if kind is None or kind in each.types]
        rankings = await self._rankings(sources, sought, paging)
        total = sum(ranking.total for ranking in rankings)
        # One source alone skips what comes before the page by itself.
        skipped = paging.offset if len(sources) > 1 else 0
        chosen = list(islice(_merged(rankings), skipped, skipped + paging.per_page))
        hits = await self._hits(sources, chosen)
        return await asyncio.to_thread(found_records, sought, hits), total

    def _sought(self, text: str, kind: str | None) -> Sought:
        known = sorted({each for source in self._sources for each in source.types})
        if kind is not None and known and kind not in known:
            raise FieldErrors([FieldError("type", f"Must be one of {', '.join(known)}.")], 422)
        try:
            terms = parse_terms(text)
        except ValueError as error:
            raise FieldErrors([FieldError("q", str(error))], 422) from error
        return Sought(terms, begun_word(text), kind)

    async def _rankings(self, sources: Sequence[SearchSource], sought: Sought, paging: Paging) -> list[Ranking]:
        if len(sources) == 1:
            return [await sources[0].rank(self._db, sought, paging.per_page, paging.offset)]
        needed = paging.offset + paging.per_page
        return [await each.rank(self._db, sought, needed, 0) for each in sources]

    async def _hits(self, sources: Sequence[SearchSource], chosen: Sequence[Chosen]) -> list[tuple[Rank, Hit]]:
        """What is shown of the page; a record that vanished since it was ranked is left out."""
        shown: dict[tuple[int, int], Hit] = {}
        for number, source in enumerate(sources):
            ids = [each.rank.id for each in chosen if each.source == number]
            found = await source.show(self._db, ids) if ids else {}
            shown |= {(number, record_id): hit for record_id, hit in found.items()}
        found_of = ((each.rank, shown.get((each.source, each.rank.id))) for each in chosen)
        return [(rank, hit) for rank, hit in found_of if hit is not None]


def _merged(rankings: Sequence[Ranking]) -> Iterable[Chosen]:
    each = ([Chosen(number, rank) for rank in ranking.ranks] for number, ranking in enumerate(rankings))
    # Merging keeps the order of the sources among equals.
    return heapq.merge(*each, key=lambda chosen: -chosen.rank.score)
