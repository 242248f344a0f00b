"""Gate rules that misuse the publishing transaction, which has to outlive every warning rule."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

import pytest
from sqlalchemy import Column, Table, Text, bindparam, column, func, insert, literal, select, table

from cms_host.db import Asked, Database, Id, Query, Reader, Transaction, make_database, new_metadata, one_of
from cms_host.gate import Candidate, Finding, Gate, Report
from cms_host.migrate import sync_engine
from cms_host.testing import make_candidate

metadata = new_metadata()
posts = Table("published", metadata, Column("id", Id, primary_key=True), Column("title", Text, nullable=False))
ADD = Query(insert(posts).values(title=bindparam("title")))
TITLES = Query(select(posts.c.title).order_by(posts.c.id))
NAMED = Query(
    {dialect: select(posts.c.title).where(condition) for dialect, condition in one_of(posts.c.title, "names").items()}
)
BROKEN = Query(select(column("nothing")).select_from(table("no_such_table")))

_numbers = select(literal(1).label("n")).cte("numbers", recursive=True)
_numbers = _numbers.union_all(select(_numbers.c.n + 1).where(_numbers.c.n < 10**9))
#: A statement that nobody has the patience for.
ENDLESS = Query(
    {
        "sqlite": select(func.count().label("slept")).select_from(_numbers),
        "postgresql": select(func.pg_sleep(60).label("slept")),
    },
    scans=True,
)


class Asking:
    """A rule that asks the database."""

    def __init__(self, code: str, kind: str, ask: Callable[[Reader], Awaitable[object]]) -> None:
        self.code = code
        self.kind = kind
        self._ask = ask

    async def check(self, candidate: Candidate, db: Reader) -> list[Finding]:
        return [Finding("var", f"found {await self._ask(db)}")]


async def break_it(db: Reader) -> object:
    return await db.all(BROKEN)


async def overrun(db: Reader) -> object:
    return await db.value(ENDLESS)


async def break_it_in_silence(db: Reader) -> object:
    try:
        await db.all(BROKEN)
    except Exception:  # noqa: BLE001 - the carelessness that the gate has to survive.
        return "nothing"
    raise AssertionError("the statement is broken on every database")


async def count(db: Reader) -> object:
    return len(await db.all(TITLES))


@pytest.fixture
async def db(database_url: str) -> AsyncIterator[Database]:
    engine = sync_engine(database_url)
    with engine.begin() as connection:
        metadata.create_all(connection)
    database = make_database(database_url)
    await database.open()
    yield database
    await database.close()


async def publish(tx: Transaction, *rules: Asking) -> Report:
    """Write, run the gate, write again."""
    await tx.execute(ADD, title="before")
    # The limit is far from the minute that the endless statement takes.
    async with asyncio.timeout(20):
        report = await Gate(rules, 0.2).run(make_candidate(), tx)  # type: ignore[arg-type] # lists are invariant
    await tx.execute(ADD, title="after")
    return report


@pytest.mark.parametrize("ask", [break_it, overrun])
async def test_a_warning_rule_whose_statement_fails_leaves_the_transaction_whole(
    db: Database, ask: Callable[[Reader], Awaitable[object]]
) -> None:
    async with db.transaction() as tx:
        report = await publish(tx, Asking("a", "warning", ask), Asking("b", "block", count))

    assert [each.finding.message_en for each in report.blocks] == ["found 1"]
    assert report.warnings == ()
    assert await db.all(TITLES) == [("before",), ("after",)]


async def test_a_warning_rule_that_hides_a_failed_statement_leaves_the_transaction_whole(db: Database) -> None:
    async with db.transaction() as tx:
        report = await publish(tx, Asking("a", "warning", break_it_in_silence), Asking("b", "warning", count))

    assert [each.finding.message_en for each in report.warnings] == ["found nothing", "found 1"]
    assert await db.all(TITLES) == [("before",), ("after",)]


@pytest.mark.parametrize("ask", [break_it, overrun])
async def test_a_blocking_rule_whose_statement_fails_blocks_and_hides_no_other_finding(
    db: Database, ask: Callable[[Reader], Awaitable[object]]
) -> None:
    class Refused(Exception):
        pass

    with pytest.raises(Refused):
        async with db.transaction() as tx, asyncio.timeout(20):
            await tx.execute(ADD, title="refused")
            rules = [Asking("a", "block", ask), Asking("b", "block", count)]
            report = await Gate(rules, 0.2).run(make_candidate(), tx)  # type: ignore[arg-type] # lists are invariant
            assert report.failed == ("a",)
            assert [each.code for each in report.blocks] == ["a", "b"]
            assert report.blocks[1].finding.message_en == "found 1"
            raise Refused

    async with db.transaction() as tx:
        await tx.execute(ADD, title="the next one")
    assert await db.all(TITLES) == [("the next one",)]


async def test_rules_may_ask_outside_of_any_transaction(db: Database) -> None:
    report = await Gate([Asking("a", "warning", count)]).run(make_candidate(), db)  # type: ignore[list-item]

    assert [each.finding.message_en for each in report.warnings] == ["found 0"]
    assert await db.all(TITLES) == []


async def test_a_rule_can_not_write(db: Database) -> None:
    async def write(db: Any) -> object:
        return await db.execute(ADD, title="by a rule")

    async with db.transaction() as tx:
        report = await publish(tx, Asking("a", "block", write))

    assert report.failed == ("a",)
    assert await db.all(TITLES) == [("before",), ("after",)]


class Foretelling(Asking):
    """A rule that tells beforehand that it will ask for something, and then asks for it."""

    def __init__(self, code: str, kind: str, *asked: Asked) -> None:
        super().__init__(code, kind, self._count)
        self.asked = asked

    def asks(self, candidate: Candidate) -> Sequence[Asked]:
        return self.asked

    async def _count(self, db: Reader) -> object:
        return [len(await db.all(query, **values)) for query, values in self.asked]


def alone(tx: Any) -> list[Query[Any]]:
    """The statements that a transaction reads from now on, one at a time."""
    read: list[Query[Any]] = []
    run, several = tx.all, tx.several

    async def listening(query: Query[Any], /, **values: Any) -> list[Any]:
        read.append(query)
        return await run(query, **values)

    async def together(*asked: Asked) -> list[list[Any]]:
        # SQLite, where a trip costs nothing, makes of it what it is elsewhere one by one.
        read_before = [*read]
        rows = await several(*asked)
        read[:] = read_before
        return rows

    tx.all, tx.several = listening, together
    return read


async def test_what_rules_foretell_is_read_in_one_trip(db: Database) -> None:
    rules = [Foretelling("a", "warning", (TITLES, {})), Foretelling("b", "warning", (NAMED, {"names": ["before"]}))]
    async with db.transaction() as tx:
        read = alone(tx)
        report = await publish(tx, *rules, Asking("c", "warning", count))

    assert [each.finding.message_en for each in report.warnings] == ["found [1]", "found [1]", "found 1"]
    assert read == []
    assert await db.all(TITLES) == [("before",), ("after",)]


async def test_what_a_rule_asks_beyond_what_it_foretold_is_read_then(db: Database) -> None:
    rules = [Foretelling("a", "warning", (NAMED, {"names": ["x"]})), Foretelling("b", "warning", (TITLES, {}))]

    async def ask(db: Reader) -> object:
        return [len(await db.all(NAMED, names=[name])) for name in ("before", "x", "after")]

    async with db.transaction() as tx:
        read = alone(tx)
        report = await publish(tx, *rules, Asking("c", "warning", ask))

    assert [each.finding.message_en for each in report.warnings] == ["found [0]", "found [1]", "found [1, 0, 0]"]
    assert read == [NAMED, NAMED]


@pytest.mark.parametrize("spoilt", [BROKEN, ENDLESS])
async def test_a_foretold_statement_that_fails_is_the_failure_of_its_own_rule_alone(
    db: Database, spoilt: Query[Any]
) -> None:
    rules = [
        Foretelling("a", "block", (spoilt, {})),
        Foretelling("b", "warning", (TITLES, {})),
        Foretelling("c", "block", (TITLES, {})),
    ]
    async with db.transaction() as tx:
        report = await publish(tx, *rules)

    assert report.failed == ("a",)
    assert [each.finding.message_en for each in (*report.warnings, report.blocks[1])] == ["found [1]"] * 2
    assert await db.all(TITLES) == [("before",), ("after",)]


async def test_a_rule_that_fails_to_foretell_is_asked_all_the_same(db: Database) -> None:
    class Failing(Foretelling):
        def asks(self, candidate: Candidate) -> Sequence[Asked]:
            raise RuntimeError("no idea")

    async with db.transaction() as tx:
        report = await publish(tx, Failing("a", "warning", (TITLES, {})), Foretelling("b", "warning", (TITLES, {})))

    assert [each.finding.message_en for each in report.warnings] == ["found [1]"] * 2


async def test_a_rollback_goes_back_to_the_savepoint_and_no_further(db: Database) -> None:
    async with db.transaction() as tx:
        await tx.execute(ADD, title="before")
        await tx.savepoint()
        for _ in range(2):
            await tx.execute(ADD, title="undone")
            await tx.rollback()
        await tx.execute(ADD, title="after")

    assert await db.all(TITLES) == [("before",), ("after",)]
