"""Twins under one `Idempotency-Key`, in one process and on two hosts, and work that breaks off halfway."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from cms_host.testing import Answer, Client, FakeClock, MakeSite, Site, dump
from cms_posts.testing import article, created

KEY = {"Idempotency-Key": "one-key"}
ENABLED = ["keys", "ledger"]
DAY = 24 * 60 * 60


@pytest.fixture
async def hosts(make_site: MakeSite, ledger: Any) -> tuple[Site, Site]:
    """Two hosts with a ledger, on one database."""
    return await make_site(enabled=ENABLED), await make_site(enabled=ENABLED)


def enter(site: Site, note: str = "a") -> "asyncio.Task[Answer]":
    """Begin to enter a note."""
    return asyncio.create_task(Client(site, "author.ali").post("/ledger", json={"note": note}, headers=KEY))


@asynccontextmanager
async def held(desk: Any) -> AsyncIterator[None]:
    """Whoever enters a note stays inside the transaction until the block ends."""
    desk.door.clear()
    try:
        async with asyncio.timeout(60):
            yield
    finally:
        desk.door.set()


async def posts_and_answers(clients: list[Client]) -> tuple[int, list[Answer]]:
    """How many posts there are once all clients sent the same request at once, and what they were told."""
    answers = await asyncio.gather(*(client.post("/posts", json=article(), headers=KEY) for client in clients))
    return (await clients[0].get("/posts")).data["total"], answers


def check_twins(answers: list[Answer]) -> None:
    """One made the post; everybody else was told to wait, or the same."""
    (first,) = [each for each in answers if each.status == 201 and "Idempotent-Replayed" not in each.headers]
    for other in answers:
        assert other.status == 409 or other.body == first.body


async def test_parallel_twins_make_one_post(site: Site) -> None:
    client = await site.client("author")
    total, answers = await posts_and_answers([client] * 8)

    assert total == 1
    check_twins(answers)


async def test_parallel_twins_on_two_hosts_make_one_post(make_site: MakeSite) -> None:
    one, two = await make_site(), await make_site()
    client = await one.client("author")
    total, answers = await posts_and_answers([client, Client(two, client.key)] * 4)

    assert total == 1
    check_twins(answers)


async def test_parallel_twins_publish_once(site: Site) -> None:
    client = await site.client("author")
    await created(client)
    answers = await asyncio.gather(*(client.post("/posts/1/publish", headers=KEY) for _ in range(8)))

    assert {answer.status for answer in answers} <= {200, 409}
    assert len({answer.body for answer in answers if answer.status == 200}) == 1


@pytest.mark.shows("idempotency.under-way")
async def test_a_twin_in_the_same_process_is_told_at_once(hosts: tuple[Site, Site], ledger: Any) -> None:
    site, _ = hosts
    desk = site.host.one(ledger)
    async with held(desk):
        first = enter(site)
        await desk.entered.wait()
        for note in ("a", "another"):
            twin = await enter(site, note)
            assert twin.status == 409
            assert "still under way" in twin.error["message"]

    assert (await first).status == 201
    assert (await enter(site)).body == (await first).body


@asynccontextmanager
async def half_sent(site: Site, desk: Any, path: str) -> AsyncIterator["asyncio.Task[Answer]"]:
    """A request whose handler is at work, while half of its body comes when the block ends."""
    rest = asyncio.Event()

    async def slowly() -> AsyncIterator[bytes]:
        yield b'{"note": '
        await rest.wait()
        yield b'"a"}'

    headers = {**KEY, "Content-Type": "application/json"}
    sending = asyncio.create_task(Client(site, "author.ali").post(path, data=slowly(), headers=headers))
    async with asyncio.timeout(30):
        await desk.arrived.wait()
        yield sending
        rest.set()
        await sending


async def test_a_twin_of_a_request_that_has_not_come_whole_is_told_at_once(
    hosts: tuple[Site, Site], ledger: Any
) -> None:
    site, _ = hosts
    async with half_sent(site, site.host.one(ledger), "/ledger") as first:
        assert (await enter(site, "b")).status == 409

    assert (await first).status == 201
    assert (await enter(site, "b")).status == 409


async def test_a_body_that_comes_slowly_keeps_nobody_from_writing(hosts: tuple[Site, Site], ledger: Any) -> None:
    site, _ = hosts
    async with half_sent(site, site.host.one(ledger), "/ledger/unread") as slow:
        assert (await enter(site)).status == 201

    assert (await slow).status == 202


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_a_twin_on_another_host_is_told_at_once_on_postgresql(hosts: tuple[Site, Site], ledger: Any) -> None:
    one, two = hosts
    async with held(one.host.one(ledger)):
        first = enter(one)
        await one.host.one(ledger).entered.wait()
        twin = await enter(two)
        assert twin.status == 409
        assert "still under way" in twin.error["message"]

    assert (await first).status == 201
    assert (await enter(two)).body == (await first).body


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.shows("idempotency.under-way")
async def test_a_twin_on_another_host_waits_and_is_answered_the_same_on_sqlite(
    hosts: tuple[Site, Site], ledger: Any
) -> None:
    one, two = hosts
    async with held(one.host.one(ledger)):
        first = enter(one)
        await one.host.one(ledger).entered.wait()
        twin = enter(two)
        # It looked for an answer in vain, and stands before the transaction with its body read.
        while two.host.db._writer.is_busy is False:  # type: ignore[attr-defined] # there is no other sign of it
            await asyncio.sleep(0.005)

    assert (await first).status == 201
    assert ((await twin).status, (await twin).body) == (201, (await first).body)
    assert (await twin).headers["Idempotent-Replayed"] == "true"
    assert not two.host.one(ledger).entered.is_set()


async def test_the_other_host_s_answer_is_found_and_compared(hosts: tuple[Site, Site]) -> None:
    one, two = hosts
    first = await enter(one)

    assert (await enter(two)).body == first.body
    assert (await enter(two, "b")).status == 409


@pytest.mark.shows("idempotency.transaction")
async def test_work_that_breaks_off_leaves_nothing(hosts: tuple[Site, Site], ledger: Any, database_url: str) -> None:
    site, _ = hosts
    desk, before = site.host.one(ledger), dump(database_url)
    desk.fails = True
    assert (await enter(site)).status == 500
    assert desk.entered.is_set()
    assert dump(database_url) == before

    desk.fails = False
    answer = await enter(site)
    assert (answer.status, answer.data["number"]) == (201, 1)
    assert "Idempotent-Replayed" not in answer.headers


@pytest.mark.shows("idempotency.transaction")
async def test_work_that_is_cancelled_leaves_nothing(
    hosts: tuple[Site, Site], ledger: Any, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, _ = hosts
    desk, before = site.host.one(ledger), dump(database_url)

    async def cancelled() -> None:
        raise asyncio.CancelledError

    monkeypatch.setattr(desk.door, "wait", cancelled)
    with pytest.raises(Exception, match=r"(?i)disconnected"):
        await enter(site)
    monkeypatch.undo()

    assert desk.entered.is_set()
    assert dump(database_url) == before
    assert (await enter(site)).status == 201


async def test_an_expired_key_that_twins_take_over_is_taken_over_once(
    hosts: tuple[Site, Site], ledger: Any, clock: FakeClock
) -> None:
    one, two = hosts
    first = await enter(one)
    clock.advance(DAY)
    answers = await asyncio.gather(*(enter(site) for site in (one, two) * 4))
    successes = [answer for answer in answers if answer.status == 201]

    assert {answer.status for answer in answers} <= {201, 409}
    assert len({answer.body for answer in successes}) == 1
    assert len([each for each in successes if "Idempotent-Replayed" not in each.headers]) == 1
    assert "Idempotent-Replayed" not in first.headers
