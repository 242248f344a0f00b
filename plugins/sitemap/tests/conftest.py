"""Sitemaps without posts: sources that the tests make themselves."""

from collections.abc import Sequence

import pytest

from cms_host.api import Reader, SitemapEntry, SitemapPart, SitemapSource
from cms_host.testing import Site

#: For what no database has a part in.
SQLITE_ALONE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
MOMENT = 1_768_478_400_000_000


class Pages(SitemapSource):
    """Entries 1 to `number`, and how they were asked for; above `breaks_at` there is a fault."""

    def __init__(self, name: str, number: int, breaks_at: int = 2**63) -> None:
        self.name = name
        self.asked: list[int] = []
        self._number, self._breaks_at = number, breaks_at

    async def count(self, db: Reader) -> int:
        return self._number

    async def entries(
        self, db: Reader, after_id: int, limit: int, offset: int = 0, upto_id: int | None = None
    ) -> Sequence[SitemapEntry]:
        self.asked.append(after_id)
        if after_id >= self._breaks_at:
            raise OSError("the disk is gone")
        first = after_id + offset + 1
        last = min(self._number, first + limit - 1, upto_id or self._number)
        return [
            SitemapEntry(number, f"https://example.org/{self.name}/{number}", MOMENT + number, ())
            for number in range(first, last + 1)
        ]

    async def parts(self, db: Reader, size: int) -> Sequence[SitemapPart]:
        return [SitemapPart(number, MOMENT) for number in range(1, -(-self._number // size) + 1)]


def put_up(site: Site, *sources: SitemapSource) -> None:
    """Have just these be in the sitemap."""
    site.host.sitemap_sources = sources
