"""`cms-host gate simulate` over many posts: what it needs does not grow with them.

`CMS_TEST_POSTS` says how many; `make stress` takes 100,000.
"""

import os
import tracemalloc

import pytest

from cms_host.testing import MakeSite
from cms_posts.filling import fill
from cms_posts.simulating import Found, simulate

POSTS = int(os.environ.get("CMS_TEST_POSTS", "300"))
#: Bytes beyond what was there before; all rows of 100,000 posts together take far more.
ALLOWED = 24 * 2**20


@pytest.mark.slow
async def test_simulating_holds_no_more_than_a_batch_of_posts(make_site: MakeSite) -> None:
    site = await make_site()
    await site.client("editor")
    async for _ in fill(site.host, POSTS, 1):
        pass
    site.host.settings.assume({"gate.short_content.minimum": 100_000, "gate.short_title.minimum": 200})
    tracemalloc.start()
    try:
        with Found() as found:
            seen = sum([step async for step in simulate(site.host, found)])
            _, most = tracemalloc.get_traced_memory()
            assert seen == len(found) > POSTS * 0.8
            assert all(row.codes[:2] == ["short_content", "short_title"] for row in found)
    finally:
        tracemalloc.stop()

    assert most < ALLOWED, f"{most / 2**20:.1f} MiB"
