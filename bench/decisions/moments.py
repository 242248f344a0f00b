"""docs/decisions/0002: what a moment costs between the database and an answer, as an integer and as a timestamp."""

import asyncio
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from sqlalchemy import Column, DateTime, MetaData, Table, Text, insert, select

from bench.decisions.timing import compare
from cms_host.db import Id, Instant, Query, make_database
from cms_host.migrate import sync_engine
from cms_host.moments import local
from cms_host.testing.databases import Databases

ZONE = "Europe/Istanbul"
COLUMNS = [f"c{number}" for number in range(5)]
#: Rows that are read, and rows in the table.
PAGE, ROWS = 20, 10_000
FIRST = 1_768_478_400_000_000


def table(name: str, kind: type) -> Table:
    return Table(name, metadata, Column("id", Id, primary_key=True), *[Column(each, kind) for each in COLUMNS])


def page_of(of: Table) -> Query:
    return Query(select(*[of.c[each] for each in COLUMNS]).where(of.c.id.between(500, 499 + PAGE)))


metadata = MetaData()
NUMBERS = table("numbers", Instant)
TEXTS = table("texts", Text)
STAMPS = table("stamps", DateTime(timezone=True))


async def measure(url: str, other: Table, name: str, stored: Callable[[datetime], object]) -> None:
    """Compare integers with what the database would otherwise hold."""
    metadata.create_all(sync_engine(url))
    database = make_database(url)
    await database.open()
    moments = [FIRST + row * 61_000_003 for row in range(ROWS)]
    async with database.transaction() as tx:
        for each, form in ((NUMBERS, int), (other, lambda micros: stored(_datetime(micros)))):
            rows = [{"id": row, **dict.fromkeys(COLUMNS, form(moment))} for row, moment in enumerate(moments)]
            await tx.execute_many(Query(insert(each)), rows)

    async def shown(query: Query, show: Callable[[object], str]) -> list[list[str]]:
        return [[show(each) for each in row] for row in await database.all(query)]

    numbers, others = page_of(NUMBERS), page_of(other)
    await compare({
        f"  {database.dialect}, integers": lambda: shown(numbers, lambda each: local(each, ZONE)),
        f"  {database.dialect}, integers, none seen before": lambda: shown(numbers, _local_anew),
        f"  {database.dialect}, {name}": lambda: shown(others, _shown),
    })  # fmt: skip
    await database.close()


def _datetime(micros: int) -> datetime:
    return datetime.fromtimestamp(micros / 1_000_000, UTC)


def _local_anew(micros: object) -> str:
    return local.__wrapped__(micros, ZONE)


def _shown(moment: str | datetime) -> str:
    moment = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    return moment.astimezone(ZoneInfo(ZONE)).isoformat(" ", "seconds")[:19]


def main() -> None:
    print(f"{PAGE} rows of {len(COLUMNS)} moments, from the database to text in the site's zone")
    with tempfile.TemporaryDirectory() as folder:
        databases = Databases(Path(folder))
        try:
            asyncio.run(measure(databases.make("sqlite", migrated=False), TEXTS, "ISO 8601 text", datetime.isoformat))
            url = databases.make("postgresql", migrated=False)
            asyncio.run(measure(url, STAMPS, "timestamptz", lambda moment: moment))
        finally:
            databases.close()


if __name__ == "__main__":
    main()
