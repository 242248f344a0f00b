"""What was decided long ago is deleted; what waits is not."""

from pathlib import Path

import pytest

from cms_content_queue.item import APPROVED
from cms_content_queue.retention import BATCH
from cms_content_queue.service import QueueService
from cms_host.testing import Site

from .conftest import queued, write

DAY = 86_400
JOB = "content-queue.forget-decided"


async def left(site: Site) -> list[int]:
    return [item.id for item in await site.host.unit().get(QueueService).all(["pending", "approved", "rejected"])]


async def fill(site: Site, folder: Path, number: int) -> None:
    for each in range(number):
        await queued(site, write(folder / f"{each}.md", f"# Number {each}\nText"))


async def reject(site: Site, *ids: int) -> None:
    async with site.host.unit().write() as unit:
        for item_id in ids:
            await unit.get(QueueService).reject(item_id)


@pytest.mark.shows("queue.retention")
async def test_what_was_decided_long_ago_is_deleted_and_nothing_else(site: Site, folder: Path) -> None:
    await site.set(**{"content_queue.keep_days": 2})
    await fill(site, folder, 4)
    await reject(site, 1)
    async with site.host.unit().write() as unit:
        await unit.get(QueueService).decide(4, APPROVED)
    site.clock.advance(DAY)
    await reject(site, 3)
    site.clock.advance(DAY - 1)
    await site.run_job(JOB)
    assert await left(site) == [1, 2, 3, 4]

    site.clock.advance(3_600)
    await site.run_job(JOB)
    assert await left(site) == [2, 3]
    # What was forgotten may come again.
    assert (await queued(site, folder / "0.md")).is_new


async def test_more_than_one_transaction_takes_are_deleted_all_the_same(site: Site, folder: Path) -> None:
    await fill(site, folder, BATCH + 3)
    await reject(site, *range(2, BATCH + 4))
    site.clock.advance(31 * DAY)
    await site.run_job(JOB)

    assert await left(site) == [1]


@pytest.mark.shows("queue.retention")
async def test_nothing_is_deleted_where_the_setting_is_0(site: Site, folder: Path) -> None:
    await site.set(**{"content_queue.keep_days": 0})
    await fill(site, folder, 1)
    await reject(site, 1)
    site.clock.advance(3_650 * DAY)
    await site.run_job(JOB)

    assert await left(site) == [1]
