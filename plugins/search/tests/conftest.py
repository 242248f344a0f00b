"""Searches without posts: sources that the tests make themselves."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pytest

from cms_host.api import Hit, Rank, Ranking, Reader, SearchSource, Sought
from cms_host.testing import Client, Site

#: For what no database has a part in.
SQLITE_ALONE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


class Shelf(SearchSource):
    """Finds the same records whatever is looked for, and keeps what it was asked."""

    types: Collection[str]

    def __init__(self, name: str, kind: str, scores: Mapping[int, float], text: str = "") -> None:
        self.name, self.types = name, [kind]
        self.asked: list[Any] = []
        self._kind, self._text = kind, text
        self._best = sorted((Rank(*each) for each in scores.items()), key=lambda rank: (-rank.score, -rank.id))

    async def rank(self, db: Reader, sought: Sought, limit: int, offset: int) -> Ranking:
        self.asked.append((sought, limit, offset))
        return Ranking(self._best[offset : offset + limit], len(self._best))

    async def show(self, db: Reader, ids: Sequence[int]) -> Mapping[int, Hit]:
        self.asked.append(ids)
        return {each: Hit(self._kind, f"No. {each}", f"no-{each}", f"/no-{each}", self._text) for each in ids}


async def found(client: Client, **params: str) -> list[tuple[str, int]]:
    """Types and ids of a page, in its order."""
    answer = await client.get("/search", params={"q": "word", **params})
    assert answer.status == 200, answer.text
    return [(item["type"], item["id"]) for item in answer.data["items"]]


def put_up(site: Site, *sources: SearchSource) -> None:
    """Have just these be searched."""
    site.host.search_sources = sources
