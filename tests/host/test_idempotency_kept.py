"""What is kept under an `Idempotency-Key`, of which handlers, for how long, and how it is cleared away."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import bindparam

from cms_host.db import Query, insert
from cms_host.idempotency import BATCH, FORGET, answers
from cms_host.testing import Client, FakeClock, MakeSite, Site, dump

from .describing import on_sqlite

KEY = {"Idempotency-Key": "one-key"}
DAY = 24 * 60 * 60
_ADD = Query(insert(answers).values({each.key: bindparam(each.key) for each in answers.c}))


@pytest.fixture
async def site(make_site: MakeSite, ledger: Any) -> Site:
    return await make_site(enabled=["keys", "ledger"], max_body_bytes=1000)


@pytest.fixture
def client(site: Site) -> Client:
    return Client(site, "author.ali")


def kept(url: str) -> list[tuple[Any, ...]]:
    return dump(url)["idempotency_keys"]


async def test_an_answer_is_kept_for_a_day(client: Client, clock: FakeClock) -> None:
    numbers = []
    for seconds in (0, DAY - 0.000001, 0.000001, DAY - 0.000001, 0.000001):
        clock.advance(seconds)
        numbers.append((await client.post("/ledger", json={"note": "a"}, headers=KEY)).data["number"])

    assert numbers == [1, 1, 2, 2, 3]


async def test_an_expired_key_takes_any_body(client: Client, clock: FakeClock, database_url: str) -> None:
    await client.post("/ledger", json={"note": "a"}, headers=KEY)
    clock.advance(DAY)
    first = await client.post("/ledger", json={"note": "b"}, headers=KEY)

    assert (first.status, first.data) == (201, {"note": "b", "number": 2})
    assert (await client.post("/ledger", json={"note": "b"}, headers=KEY)).body == first.body
    assert (await client.post("/ledger", json={"note": "a"}, headers=KEY)).status == 409
    assert len(kept(database_url)) == 1


async def test_work_that_fails_leaves_an_expired_key_expired(
    site: Site, client: Client, ledger: Any, clock: FakeClock
) -> None:
    await client.post("/ledger", json={"note": "a"}, headers=KEY)
    clock.advance(DAY)
    site.host.one(ledger).fails = True
    assert (await client.post("/ledger", json={"note": "b"}, headers=KEY)).status == 500
    site.host.one(ledger).fails = False

    assert (await client.post("/ledger", json={"note": "c"}, headers=KEY)).data["note"] == "c"


async def test_the_status_is_kept_with_the_answer(client: Client) -> None:
    first, again = [await client.post("/ledger/unread", headers=KEY) for _ in range(2)]

    assert (first.status, again.status) == (202, 202)
    assert first.body == again.body


async def test_the_first_write_that_answers_is_kept(client: Client, database_url: str) -> None:
    first, again = [await client.post("/ledger/steps", headers=KEY) for _ in range(2)]

    assert first.data == {"note": "now", "number": 2}
    assert first.body == again.body
    assert [row for row in dump(database_url)["settings"] if row[1] == '"after"']
    assert len(kept(database_url)) == 1


async def test_what_writes_nothing_keeps_nothing(client: Client, database_url: str) -> None:
    numbers = [(await client.post("/ledger/nothing", headers=KEY)).data["number"] for _ in range(2)]

    assert numbers == [1, 2]
    assert kept(database_url) == []


async def test_an_answer_that_is_no_success_is_not_kept(client: Client, database_url: str) -> None:
    numbers = [(await client.post("/ledger/no-success", headers=KEY)).data["number"] for _ in range(2)]

    assert numbers == [1, 2]
    assert kept(database_url) == []


@on_sqlite
async def test_an_answer_outside_the_transaction_is_not_kept_and_the_log_says_so(
    client: Client, database_url: str, log_lines: list[dict[str, Any]]
) -> None:
    numbers = [(await client.post("/ledger/late", headers=headers)).data["number"] for headers in ({}, KEY, KEY)]

    assert numbers == [1, 2, 3]
    assert kept(database_url) == []
    told = [line for line in map(str, log_lines) if "an answer is not kept" in line]
    assert len(told) == 2
    assert all("/api/v1/ledger/late" in line for line in told)


@on_sqlite
async def test_a_body_that_the_handler_took_from_us_is_a_fault_and_no_success_is_given_twice(
    client: Client, database_url: str
) -> None:
    assert (await client.post("/ledger/itself", data=b"a")).data == {"note": "a", "number": 1}
    before = dump(database_url)

    assert (await client.post("/ledger/itself", data=b"a", headers=KEY)).status == 500
    assert dump(database_url) == before


@on_sqlite
async def test_a_body_that_nobody_reads_counts_all_the_same(client: Client) -> None:
    first = await client.post("/ledger/unread", data=b"\xff\x00", headers=KEY)

    assert (await client.post("/ledger/unread", data=b"\xff\x00", headers=KEY)).body == first.body
    assert (await client.post("/ledger/unread", data=b"\xff\x01", headers=KEY)).status == 409
    assert (await client.post("/ledger/unread", data=b"x" * 1001, headers=KEY)).status == 413


@on_sqlite
async def test_a_body_that_is_too_large_is_refused_with_a_key_as_without(client: Client, database_url: str) -> None:
    async def in_chunks() -> Any:
        for _ in range(3):
            yield b" " * 600

    for body in (b"x" * 1001, in_chunks()):
        assert (await client.post("/ledger/unread", data=body, headers=KEY)).status == 413
    assert kept(database_url) == []
    assert (await client.post("/ledger/unread", data=b"x" * 1000, headers=KEY)).status == 202


@on_sqlite
async def test_an_encoded_slash_is_part_of_a_name(site: Site, client: Client) -> None:
    from yarl import URL

    numbers = []
    for path in ("books/a%2Fpages", "books/a/pages", "books/%61/pages"):
        url = URL(f"/api/v1/ledger/{path}", encoded=True)
        headers = {**KEY, "X-API-Key": client.key or ""}
        numbers.append((await site.fetch("POST", url, headers=headers)).data["number"])  # type: ignore[arg-type]

    assert numbers == [1, 2, 2]


async def test_a_path_of_any_length_can_be_kept(client: Client) -> None:
    first, again = [await client.post(f"/ledger/books/{'x' * 7000}", headers=KEY) for _ in range(2)]

    assert first.status == 201
    assert first.body == again.body


async def test_the_cleaning_job_deletes_what_is_expired_and_nothing_else(
    site: Site, client: Client, clock: FakeClock, database_url: str
) -> None:
    rows = [
        {"scope": f"{number}", "fingerprint": "", "status": 200, "answer": b"", "created_at": clock.now()}
        for number in range(2 * BATCH + 1)
    ]
    async with site.host.db.transaction() as tx:
        await tx.execute_many(_ADD, rows)
    clock.advance(0.000001)
    first = await client.post("/ledger", json={}, headers=KEY)

    clock.advance(DAY - 0.000002)
    await FORGET.run(site.host.unit())
    assert len(kept(database_url)) == 2 * BATCH + 2
    clock.advance(0.000001)
    assert await site.run_job(FORGET.name)
    assert len(kept(database_url)) == 1
    assert (await client.post("/ledger", json={}, headers=KEY)).body == first.body


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_the_cleaning_job_leaves_a_key_that_is_being_taken_over(
    site: Site, client: Client, ledger: Any, clock: FakeClock, database_url: str
) -> None:
    await client.post("/ledger", json={}, headers=KEY)
    clock.advance(DAY)
    desk = site.host.one(ledger)
    desk.door.clear()
    desk.entered.clear()
    taking_over = asyncio.create_task(client.post("/ledger", json={}, headers=KEY))
    async with asyncio.timeout(60):
        await desk.entered.wait()
        await FORGET.run(site.host.unit())
    desk.door.set()

    assert (await taking_over).data["number"] == 2
    assert len(kept(database_url)) == 1
