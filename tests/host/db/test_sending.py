"""Statements that nobody waits for: carried out in order, and never in vain."""

from typing import Any

import pytest
from sqlalchemy import column, select, table

from cms_host.db import Database, Query
from cms_host.db.postgresql import MOST_SENT

from .conftest import ADD, BY_NAME, COUNT, NAMES, PUT, RENAME, add

PREPARED = Query(select(column("statement")).select_from(table("pg_prepared_statements")))


async def names(db: Database) -> list[str]:
    return [name for (name,) in await db.all(NAMES)]


async def test_what_is_sent_is_seen_by_the_next_statement_and_kept(db: Database) -> None:
    async with db.transaction() as tx:
        await tx.send(PUT, id=1, name="a")
        await tx.send(RENAME, old="a", new="b")

        assert await tx.value(COUNT) == 1
        assert await tx.execute(RENAME, old="b", new="c") == 1
        await tx.send(RENAME, old="c", new="d")

    assert await names(db) == ["d"]


async def test_a_transaction_that_only_sends_is_kept_as_well(db: Database) -> None:
    async with db.transaction("lock") as tx:
        await tx.send(PUT, id=1, name="a")

    assert await names(db) == ["a"]


async def test_a_transaction_that_does_nothing_ends(db: Database) -> None:
    async with db.transaction("lock"):
        pass
    with pytest.raises(ZeroDivisionError):
        async with db.transaction("lock"):
            raise ZeroDivisionError

    await add(db, "a")


async def test_what_goes_wrong_with_it_is_raised_before_the_transaction_has_ended(db: Database) -> None:
    await add(db, "a")
    with pytest.raises(Exception, match=r"(?i)unique"):
        async with db.transaction() as tx:
            await tx.send(PUT, id=5, name="b")
            await tx.send(PUT, id=6, name="a")
            await tx.send(PUT, id=7, name="c")

    assert await names(db) == ["a"]
    await add(db, "d")


async def test_going_back_to_a_savepoint_hides_nothing_that_was_sent_before_it(db: Database) -> None:
    await add(db, "a")
    with pytest.raises(Exception, match=r"(?i)unique"):
        async with db.transaction() as tx:
            await tx.send(PUT, id=6, name="a")
            await tx.savepoint()
            await tx.rollback()

    assert await names(db) == ["a"]


async def test_what_was_sent_after_a_savepoint_is_undone_with_it(db: Database) -> None:
    async with db.transaction() as tx:
        await tx.send(PUT, id=1, name="a")
        await tx.savepoint()
        await tx.send(PUT, id=2, name="b")
        await tx.rollback()
        await tx.send(PUT, id=3, name="c")

    assert await names(db) == ["a", "c"]


async def test_any_number_of_statements_may_be_sent(db: Database) -> None:
    async with db.transaction() as tx:
        for number in range(3 * MOST_SENT):
            await tx.send(PUT, id=number + 1, name=f"n{number}")
        rows = ({"id": number + 1, "name": f"n{number}"} for number in range(3 * MOST_SENT, 9 * MOST_SENT))
        await tx.execute_many(PUT, rows)
        await tx.execute_many(PUT, [])

    assert await names(db) == [f"n{number}" for number in range(9 * MOST_SENT)]


async def test_several_are_answered_in_order(db: Database) -> None:
    async with db.transaction() as tx:
        await tx.send(PUT, id=50, name="a")
        added, found, number = await tx.several((ADD, {"name": "b"}), (BY_NAME, {"name": "b"}), (COUNT, {}))

        assert [each.id for each in found] == [added[0][0]]
        assert number == [(2,)]
        assert await tx.several() == []


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_a_failure_that_is_passed_over_is_no_success(db: Database) -> None:
    await add(db, "a")
    with pytest.raises(Exception, match="could not be committed"):
        async with db.transaction() as tx:
            await tx.value(ADD, name="b")
            with pytest.raises(Exception, match=r"(?i)unique"):
                await tx.value(ADD, name="a")

    assert await names(db) == ["a"]
    await add(db, "c")


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_a_transaction_takes_few_trips(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    from psycopg import AsyncConnection

    trips = []
    wait = AsyncConnection.wait

    async def counted(self: object, generator: object, *given: object, **options: object) -> object:
        trips.append(generator.__name__)  # type: ignore[attr-defined] # of a generator
        return await wait(self, generator, *given, **options)  # type: ignore[arg-type] # passed on as it came

    await add(db, "a")
    monkeypatch.setattr(AsyncConnection, "wait", counted)
    async with db.transaction("lock") as tx:
        await tx.first(BY_NAME, name="a")
        await tx.send(RENAME, old="a", new="b")
        await tx.send(RENAME, old="b", new="c")

    # Of a batch only the end of its pipeline waits for the server: reading with BEGIN, and writing with COMMIT.
    assert [each for each in trips if each not in ("_enter_gen", "_queue")] == ["_exit_gen", "_exit_gen"]


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_a_transaction_that_is_rolled_back_leaves_what_is_prepared(db: Any) -> None:
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            async with db.transaction() as tx:
                await tx.value(ADD, name="a")
                await tx.savepoint()
                await tx.rollback()
                raise ZeroDivisionError

    prepared = await db.all(PREPARED)
    assert sum("INSERT INTO things" in statement for (statement,) in prepared) == 1


async def test_the_first_failure_is_the_one_that_is_told_however_early_it_is_known(db: Database) -> None:
    """PostgreSQL may answer while later statements are still being sent."""
    await add(db, "a")
    for _ in range(10):
        with pytest.raises(Exception, match=r"(?i)unique"):
            async with db.transaction() as tx:
                await tx.send(PUT, id=50, name="a")
                for number in range(MOST_SENT - 4):
                    await tx.send(RENAME, old="a", new=f"{number}" * 1000)
                await tx.value(COUNT)

    assert await names(db) == ["a"]


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_what_was_never_prepared_because_of_a_failure_is_prepared_later(db: Database) -> None:
    await add(db, "a")
    with pytest.raises(Exception, match=r"(?i)unique"):
        async with db.transaction() as tx:
            await tx.send(PUT, id=50, name="a")
            await tx.send(RENAME, old="a", new="b")
            await tx.value(COUNT)
    async with db.transaction() as tx:
        await tx.send(RENAME, old="a", new="b")
        assert await tx.value(COUNT) == 1

    assert await names(db) == ["b"]
