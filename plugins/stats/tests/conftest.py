"""A site whose posts are those of a test."""

from collections import Counter
from collections.abc import Collection, Mapping

import pytest

from cms_host.testing import MakeSite, Site
from cms_stats.api import ViewCounters

#: For what no database has a part in.
SQLITE_ALONE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
FLUSH, FORGET = "stats.views", "stats.forget"


class Counters:
    """Keeps posts in memory, and how often each was viewed."""

    def __init__(self, *ids: int) -> None:
        self.views: Counter[int] = Counter(dict.fromkeys(ids, 0))

    async def known(self, post_ids: Collection[int]) -> Collection[int]:
        return self.views.keys() & set(post_ids)

    async def add(self, views: Mapping[int, int]) -> Collection[int]:
        there = self.views.keys() & views.keys()
        self.views.update({each: views[each] for each in there})
        return there


@pytest.fixture
def counters() -> Counters:
    return Counters(*range(1, 10))


@pytest.fixture
async def site(make_site: MakeSite, counters: Counters) -> Site:
    made = await make_site(enabled=["users", "stats"])
    made.provide(ViewCounters, counters)
    return made


async def view(site: Site, views: Mapping[int, int], **options: object) -> None:
    """Send views as an editor does."""
    items = [{"post_id": post_id, "count": n} for post_id, n in views.items()]
    answer = await (await site.client("editor")).post("/stats/views", json={"items": items}, **options)
    assert answer.status == 200, answer.text


async def shown(site: Site) -> dict[str, int]:
    """Numbers of views that the site shows, and by their dates those of days that have any."""
    views = (await (await site.client("subscriber")).get("/stats")).data["views"]
    return {**views, "daily": {day["date"]: day["views"] for day in views["daily"] if day["views"]}}
