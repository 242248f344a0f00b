"""What reading posts costs: statements are counted, the one that looks the key up included."""

import pytest

from cms_host.testing import Ran, Site
from cms_posts.filling import fill

#: Paths, and how many statements each takes for every viewer.
COSTS = {
    "/posts/7": 2,
    "/posts": 2,
    "/posts?per_page=100": 2,
    "/posts?per_page=100&with_relations=1": 3,
    "/posts?category=gezi&per_page=100&with_relations=1": 3,
    "/posts?search=harbour&per_page=100&with_relations=1": 3,
    "/posts?page=2&per_page=60&order_by=title": 2,
    "/posts?page=99": 3,
}


@pytest.mark.shows("list.with_relations.batched")
async def test_reading_takes_few_statements(site: Site, ran: list[Ran]) -> None:
    clients = [await site.client(role) for role in ("editor", "author", "subscriber")]
    async for _ in fill(site.host, 150, 1):
        pass
    for path, number in COSTS.items():
        for client in clients:
            ran.clear()
            answer = await client.get(path)
            assert answer.status == 200
            assert len(ran) == number, (path, ran)


async def test_any_number_of_values_is_the_same_statement(site: Site, ran: list[Ran]) -> None:
    client = await site.client("editor")
    seen = set()
    for values in ("1,2", "3,4,5", ",".join(map(str, range(1, 101)))):
        ran.clear()
        await client.get(f"/posts?ids={values}&per_page=5")
        seen.add(ran[1].sql)
    for names in ("a,b", "a,b,c", "a,b,c,d,e"):
        ran.clear()
        await client.get(f"/posts?category={names}&tag={names}&status=draft,pending&search=one two {names}")
        seen.add(ran[1].sql)
    assert len(seen) == 2
