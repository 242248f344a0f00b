"""Images are converted apart from everything else, and never without an end."""

import asyncio
import subprocess
import sys
import time
from collections.abc import AsyncIterator

import pytest

from cms_host.api import Workers
from cms_host.testing import MakeSite, Site
from cms_media.testing import picture, upload, uploaded

from .conftest import SQLITE_ALONE, kept


@pytest.fixture
async def busy(site: Site) -> AsyncIterator[Site]:
    """The only image worker of a site has something else to do, and nobody may wait for it."""
    site.host.image_workers = workers = Workers(1, queue=0)
    # The job is what the test is about: one that never ends by itself and takes no processor. Nobody waits for it.
    endless = asyncio.create_task(workers.run(time.sleep, 3600.0, timeout=3600))
    await asyncio.sleep(0)  # The job is in line before anything else is.
    yield site
    endless.cancel()
    await workers.close()


@SQLITE_ALONE
async def test_a_full_queue_is_503_and_posts_do_not_wait_in_it(busy: Site) -> None:
    author = await busy.client("author")
    answer = await upload(author)

    assert (answer.status, answer.error["message"]) == (503, "Busy, try again")
    assert kept(busy) == set()
    assert (await author.post("/posts", json={"title": "A walk", "content": "<p>By the sea</p>"})).status == 201


@SQLITE_ALONE
async def test_what_takes_too_long_is_422_and_nothing_is_stored(site: Site) -> None:
    author = await site.client("author")
    # Less than Pillow takes to be imported, which this worker was not told to do beforehand.
    # However little of a processor it had meanwhile: a busy machine is not what this is about.
    site.host.image_workers = workers = Workers(1, time_limit=0.02, fair_share=0)
    await workers.start()
    answer = await upload(author)
    await workers.close()

    assert (answer.status, "too much time" in answer.error["message"]) == (422, True)
    assert kept(site) == set()


@SQLITE_ALONE
async def test_what_takes_too_much_memory_is_422_and_the_next_image_is_taken(site: Site) -> None:
    author, large = await site.client("author"), picture("PNG", size=(3500, 3000), mode="1")
    site.host.image_workers = workers = Workers(1, memory_limit=260 << 20, time_limit=120)
    answers = [await upload(author, large), await upload(author)]
    await workers.close()

    assert [answer.status for answer in answers] == [422, 201]
    assert len(kept(site)) == 3


@SQLITE_ALONE
async def test_a_site_of_its_own_has_workers_for_images_beside_the_others(make_site: MakeSite) -> None:
    site = await make_site(workers=None)
    record = await uploaded(await site.client("author"))

    assert site.host.image_workers is not site.host.workers
    assert (await site.fetch("GET", record["urls"]["avif"])).status == 200


def test_pillow_is_imported_by_workers_alone() -> None:
    code = "import sys, cms_media.plugin; sys.exit('PIL' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
