"""Counters of views, beside whoever else writes the same posts."""

import asyncio

from cms_host.testing import MakeSite, Site
from cms_posts.testing import created
from cms_posts.views import PostViews
from cms_stats.api import ViewCounters


async def count(site: Site, *views: tuple[int, int]) -> set[int]:
    async with site.host.unit().write() as unit:
        return {*await unit.get(ViewCounters).add(dict(views))}


async def test_views_are_added_to_posts_that_there_are(site: Site) -> None:
    client = await site.client("editor")
    for _ in range(3):
        await created(client)
    await client.delete("/posts/2")
    await client.delete("/posts/3", json={"force": True})

    assert await count(site, (3, 1), (2, 5), (1, 7), (-4, 1), (2**62, 1)) == {1, 2}
    assert {*await PostViews(site.host.unit()).known([3, 2, 1, -4])} == {1, 2}
    assert [(await client.get(f"/posts/{number}")).data["view_count"] for number in (1, 2)] == [7, 5]


async def test_edit_that_began_before_the_views_does_not_take_them_back(site: Site, make_site: MakeSite) -> None:
    client = await site.client("editor")
    other = await make_site()
    await created(client)
    for number in range(1, 6):
        edit = client.patch("/posts/1", json={"title": f"Title number {number}"})
        answer, *_ = await asyncio.gather(edit, count(other, (1, 2)), count(site, (1, 1)))
        assert answer.status == 200
        record = (await client.get("/posts/1")).data
        assert (record["view_count"], record["title"]) == (3 * number, f"Title number {number}")


async def test_counts_that_overlap_in_any_order_wait_for_each_other(site: Site, make_site: MakeSite) -> None:
    client, other = await site.client("editor"), await make_site()
    for _ in range(30):
        await created(client)
    forth = [(number, 1) for number in range(1, 31)]
    await asyncio.gather(*(count(each, *views) for each in (site, other) for views in (forth, forth[::-1]) * 3))
    listed = (await client.get("/posts?per_page=100")).data["items"]

    assert [each["view_count"] for each in listed] == [12] * 30
