"""What reading posts costs: statements are counted, the one that looks the key up included."""

from collections.abc import Iterator
from typing import Any

import pytest

from cms_host.testing import Site
from cms_posts.filling import fill


@pytest.fixture
def statements(site: Site) -> Iterator[list[str]]:
    """The statements that the site has run outside of transactions."""
    ran: list[str] = []
    db = site.host.db
    run = db.all

    async def counting(query: Any, /, **values: Any) -> Any:
        ran.append(query.compiled(db.dialect).sql)
        return await run(query, **values)

    db.all = counting  # type: ignore[method-assign] # a listener before the real one
    yield ran
    db.all = run  # type: ignore[method-assign] # a listener before the real one


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
async def test_reading_takes_few_statements(site: Site, statements: list[str]) -> None:
    clients = [await site.client(role) for role in ("editor", "author", "subscriber")]
    async for _ in fill(site.host, 150, 1):
        pass
    for path, number in COSTS.items():
        for client in clients:
            statements.clear()
            answer = await client.get(path)
            assert answer.status == 200
            assert len(statements) == number, (path, statements)


async def test_any_number_of_values_is_the_same_statement(site: Site, statements: list[str]) -> None:
    client = await site.client("editor")
    seen = set()
    for values in ("1,2", "3,4,5", ",".join(map(str, range(1, 101)))):
        statements.clear()
        await client.get(f"/posts?ids={values}&per_page=5")
        seen.add(statements[1])
    for names in ("a,b", "a,b,c", "a,b,c,d,e"):
        statements.clear()
        await client.get(f"/posts?category={names}&tag={names}&status=draft,pending&search=one two {names}")
        seen.add(statements[1])
    assert len(seen) == 2
