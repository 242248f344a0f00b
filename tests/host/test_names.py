"""Names of other hosts are looked up, and those that nobody answers for hold up nothing else."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from cms_host import public_addresses
from cms_host.names import AT_ONCE, Names
from cms_host.public_addresses import addresses_of
from tests.host.process.installation import PATIENCE


@pytest.fixture
def silence(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """No name server answers until the test is over; gives the names that were asked for."""
    asked, ended = [], threading.Event()

    def ask(host: str, *options: Any) -> list[Any]:
        asked.append(host)
        ended.wait(2 * PATIENCE)
        raise socket.gaierror(socket.EAI_AGAIN, "nobody answers")

    monkeypatch.setattr(socket, "getaddrinfo", ask)
    yield asked
    ended.set()


async def test_names_that_nobody_answers_for_hold_up_no_other_work(
    silence: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public_addresses, "LOOK_UP", 0.1)
    names = Names()
    async with asyncio.timeout(PATIENCE):
        found = await asyncio.gather(*[addresses_of(f"{number}.example", names) for number in range(2 * AT_ONCE)])
        assert await asyncio.to_thread(len, silence) == AT_ONCE

    assert found == [[]] * 2 * AT_ONCE
    await names.close()


async def test_a_name_is_looked_up_in_the_family_that_is_asked_for() -> None:
    names = Names()
    (found,) = {each["host"] for each in await names.resolve("localhost", 80, socket.AF_INET)}
    assert found == "127.0.0.1"
    assert {each["port"] for each in await names.resolve("localhost", 80)} == {80}
    with pytest.raises(socket.gaierror):
        await names.resolve("no-such-name.invalid")
    await names.close()
