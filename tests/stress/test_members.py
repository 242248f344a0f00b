"""Twelve requests confirm one link at once, with two processes to ask: one account, and one event.

`make stress` tries it 20 times on each database, the suite twice (contract 8, Members).
"""

import asyncio
import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from aiohttp import ClientSession

from cms_host.testing import Databases, dump
from cms_members.testing import OURS, newest_token
from tests.host.process.installation import Installation, Running, poll
from tests.stress.sites import client, errors, installation, kill

ROUNDS = int(os.environ.get("CMS_TEST_CONFIRMATIONS", "2"))
READERS = 12


class Served(NamedTuple):
    """A site of two processes."""

    made: Installation
    running: Running
    database_url: str


@pytest.fixture(params=Databases.KINDS)
def served(request: pytest.FixtureRequest, databases: Databases, tmp_path: Path) -> Iterator[Served]:
    url = databases.make(request.param)
    made = installation(tmp_path, url)
    running = made.start("--workers", "2")
    running.wait_for("serves on ")
    yield Served(made, running, url)
    if running.process.poll() is None:
        kill(running)


@pytest.mark.slow
async def test_a_link_that_many_confirm_at_once_makes_one_member(served: Served) -> None:
    async with client(served.made, served.running, reconnecting=True) as http:
        setting = "/api/v1/settings/members.tries_per_client"
        assert (await http.put(setting, json={"value": 100 + ROUNDS})).status == 200
        for number in range(ROUNDS):
            email = f"member{number}@example.org"
            token = await registered(http, served.made.folder / "data" / "mail", email)
            answers = await asyncio.gather(*(status(http, "confirm", {"token": token}) for _ in range(READERS)))
            assert Counter(answers) == Counter({200: 1, 404: READERS - 1})
    told = [
        json.loads(next(each for each in row if isinstance(each, bytes))) for row in dump(served.database_url)["events"]
    ]
    addresses = [f"member{number}@example.org" for number in range(ROUNDS)]
    assert sorted(each["data"]["email"] for each in told) == sorted(addresses)
    assert len(dump(served.database_url)["users"]) == 1 + ROUNDS
    assert not errors(served.running), "\n".join(errors(served.running))


async def registered(http: ClientSession, folder: Path, email: str) -> str:
    """The token of a new registration's link, once one of the processes has sent it."""
    sent = {"name": "Ayşe", "email": email, "password": "correct horse"}
    before = files(folder)
    assert await status(http, "register", sent) == 200
    await asyncio.to_thread(poll, lambda: files(folder) != before, "a mail")
    return newest_token(folder, email)


def files(folder: Path) -> set[Path]:
    """The mails that are out."""
    return set(folder.glob("*.eml"))


async def status(http: ClientSession, page: str, sent: dict[str, str]) -> int:
    async with http.post(f"/members/{page}", data=sent, headers=OURS) as answer:
        await answer.read()
        return answer.status
