"""However many want the same slug at once, each gets its own (spec, Post record; contract 3)."""

import asyncio
import re
from itertools import cycle, islice
from typing import Any

import pytest

from cms_host.testing import Client, MakeSite, dump

MANY = 200
#: As many as the workers let stand in line.
AT_ONCE = 16
#: One title to a reader: letters of other case, width and composition, dotless and dotted, runs of space.
ALIKE = (
    "Işıklı İstanbul",
    "işıklı istanbul",
    "IŞIKLI ISTANBUL",
    "Isikli   Istanbul",
    "\uff29ş\u0131kl\u0131 İstanbul",
    "Is\u0327ikli I\u0307stanbul",
    "işıklı-istanbul!",
    "Işıklı’ İstanbul’",
)


@pytest.mark.shows("body.slug.unique", "post.slug")
async def test_slugs_of_two_hundred_parallel_creations_are_unique(make_site: MakeSite, database_url: str) -> None:
    sites = [await make_site() for _ in range(2)]
    clients = cycle([Client(site, await sites[0].key("editor")) for site in sites])
    bodies = [{"title": title, "content": "<p>Short.</p>"} for title in islice(cycle(ALIKE), MANY)]

    door = asyncio.Semaphore(AT_ONCE)
    posts = await asyncio.gather(*(create(door, next(clients), body) for body in bodies))

    slugs = {post["slug"] for post in posts}
    assert len(slugs) == MANY
    assert all(re.fullmatch(r"isikli-istanbul(-[0-9]+)?", slug) for slug in slugs)
    assert len(dump(database_url)["post_slugs"]) == MANY
    for post in posts[:: MANY // 10]:
        assert (await next(clients).get(f"/posts/{post['id']}")).data["slug"] == post["slug"]


async def create(door: asyncio.Semaphore, client: Client, body: dict[str, Any]) -> dict[str, Any]:
    """The new post's record. On a machine that is busy with other things, whoever is turned away asks again."""
    async with door:
        answer = await client.post("/posts", json=body)
        while answer.status == 503 or (answer.status == 422 and "time limit" in answer.text):
            answer = await client.post("/posts", json=body)
    assert answer.status == 201, answer.text
    record: dict[str, Any] = answer.data["post"]
    return record
