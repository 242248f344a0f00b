"""Twelve drafts of one title are published at once, with two processes to ask: exactly one gets through.

`make stress` tries it 20 times on each database, the suite three times (spec, Quality gate: `duplicate_title`).
"""

import asyncio
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from aiohttp import ClientSession

from cms_host.testing import Databases
from tests.host.process.installation import Installation, Running
from tests.stress.sites import client, errors, installation, kill
from tests.stress.texts import article, title

RACES = int(os.environ.get("CMS_TEST_RACES", "3"))
DRAFTS = 12
Answer = tuple[int, Any]


@pytest.fixture(params=Databases.KINDS)
def site(
    request: pytest.FixtureRequest, databases: Databases, tmp_path: Path
) -> Iterator[tuple[Installation, Running]]:
    made = installation(tmp_path, databases.make(request.param))
    running = made.start("--workers", "2")
    running.wait_for("serves on ")
    yield made, running
    if running.process.poll() is None:
        kill(running)


@pytest.mark.slow
@pytest.mark.shows("gate.similar.race")
async def test_one_of_twelve_that_publish_one_title_at_once_wins(site: tuple[Installation, Running]) -> None:
    chance = Random(RACES)  # noqa: S311 - the texts only have to differ.
    async with client(*site, reconnecting=True) as http:
        for _ in range(RACES):
            assert await race(http, chance) == Counter({"published": 1, "refused": DRAFTS - 1})
    assert not errors(site[1]), "\n".join(errors(site[1]))


async def race(http: ClientSession, chance: Random) -> Counter[str]:
    """What became of each draft."""
    named = title(chance)
    drafts = [{"title": named, "content": article(chance)} for _ in range(DRAFTS)]
    made = await asyncio.gather(*(ask(http, "POST", "/posts", draft) for draft in drafts))
    assert [status for status, _ in made] == [201] * DRAFTS
    ids = [answer["data"]["id"] for _, answer in made]
    answers = await asyncio.gather(*(ask(http, "POST", f"/posts/{each}/publish", {}) for each in ids))
    outcomes = Counter(map(outcome, answers))
    stored = [(await ask(http, "GET", f"/posts/{each}"))[1]["data"]["status"] for each in ids]
    assert Counter(stored) == Counter(published=outcomes["published"], draft=outcomes["refused"])
    return outcomes


async def ask(http: ClientSession, method: str, path: str, body: Any = None) -> Answer:
    async with http.request(method, f"/api/v1{path}", json=body) as response:
        return response.status, await response.json()


def outcome(answer: Answer) -> str:
    """What an answer to a publish says; what it never may say, as it stands."""
    status, told = answer
    if status == 200:
        return "published"
    codes = [block["code"] for block in told["blocks"]] if status == 422 and "blocks" in told else []
    return "refused" if "duplicate_title" in codes else f"{status}: {told}"
