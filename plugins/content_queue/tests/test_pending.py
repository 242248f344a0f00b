"""What neighbours are told of the queue."""

from pathlib import Path

import pytest

from cms_content_queue.api import PendingItem, PendingItems
from cms_content_queue.service import QueueService
from cms_host.api import Paging
from cms_host.testing import Site

from .conftest import queued, write


async def page(site: Site, number: int, per_page: int = 2) -> tuple[list[int], int]:
    items, total = await site.host.unit().get(PendingItems).page(Paging(number, per_page))
    return [item.id for item in items], total


@pytest.mark.shows("queue.order")
async def test_pending_items_are_paged_with_the_oldest_first(site: Site, folder: Path) -> None:
    for number in range(5):
        # Not even a clock that is set back moves anything.
        site.clock.advance(-60)
        await queued(site, write(folder / f"{number}.md", f"# Number {number}\nText"))
    assert [await page(site, number) for number in (1, 2, 3, 4)] == [([1, 2], 5), ([3, 4], 5), ([5], 5), ([], 5)]

    async with site.host.unit().write() as unit:
        await unit.get(QueueService).reject(2)
    assert [await page(site, number) for number in (1, 2)] == [([1, 3], 4), ([4, 5], 4)]
    assert await page(site, 2**62, 100) == ([], 4)


async def test_an_item_tells_where_it_comes_from(site: Site, folder: Path) -> None:
    await queued(site, write(folder / "walk.html", "<h1>A walk</h1>Text"))
    items, total = await site.host.unit().get(PendingItems).page(Paging(1, 20))

    assert (items, total) == ([PendingItem(1, "A walk", "walk.html", "html", site.clock.now())], 1)


async def test_an_empty_queue_is_an_empty_page(site: Site) -> None:
    assert await page(site, 1) == ([], 0)
