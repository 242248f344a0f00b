"""The entries of all sources, one source after the other, each by id."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from typing import Any

from cms_host.api import Host, Paging, Reader, SitemapEntry, UnitOfWork
from cms_sitemap.records import entry_record
from cms_sitemap.xml import URLSET_BEGINS, URLSET_ENDS, url_elements

#: Entries that are read at once. In between others have their turn, and no connection is held.
STEP = 500


class SitemapService:
    """The sitemap, for whoever asks: it does not depend on it."""

    def __init__(self, unit: UnitOfWork) -> None:
        self._db = unit.db
        self._host = unit.host

    async def count(self) -> int:
        """How many entries there are."""
        return sum([await source.count(self._db) for source in self._host.sitemap_sources])

    async def page(self, paging: Paging) -> tuple[Sequence[Any], int]:
        """The records of one page, and how many there are in all."""
        total, zone = await self.count(), self._host.timezone
        found = walk(self._db, self._host, paging.offset, paging.per_page)
        return [entry_record(each, zone) async for step in found for each in step], total

    def xml(self, paging: Paging) -> AsyncGenerator[bytes]:
        """The same as the pieces of a file."""
        return urlset(self._host, walk(self._db, self._host, paging.offset, paging.per_page))


async def walk(db: Reader, host: Host, offset: int, limit: int) -> AsyncIterator[Sequence[SitemapEntry]]:
    """Up to `limit` entries after the first `offset`, some at a time."""
    for source in host.sitemap_sources:
        if offset and offset >= (number := await source.count(db)):
            offset -= number
            continue
        after = 0
        while limit and (found := await source.entries(db, after, min(STEP, limit), offset)):
            yield found
            after, offset, limit = found[-1].id, 0, limit - len(found)
        offset = 0


async def urlset(host: Host, steps: AsyncIterator[Sequence[SitemapEntry]]) -> AsyncGenerator[bytes]:
    """The pieces of a file of these entries."""
    begun = URLSET_BEGINS
    async for entries in steps:
        yield begun + url_elements(entries, host.timezone)
        begun = b""
    yield begun + URLSET_ENDS
