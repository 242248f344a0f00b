"""A table to try queries and transactions on."""

from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import pytest
from sqlalchemy import Column, Table, Text, bindparam, func, select, update

from cms_host.db import Database, Flag, Id, Instant, Json, Query, insert, make_database, new_metadata
from cms_host.migrate import sync_engine

metadata = new_metadata()
things = Table(
    "things",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("made_at", Instant),
    Column("good", Flag),
    Column("extra", Json),
    sqlite_autoincrement=True,
)


class Thing(NamedTuple):
    id: int
    name: str
    made_at: int | None
    good: bool | None
    extra: Any


class Name(NamedTuple):
    name: str


ADD = Query(
    insert(things)
    .values(
        name=bindparam("name"),
        made_at=bindparam("made_at", None, type_=Instant),
        good=bindparam("good", None, type_=Flag),
        extra=bindparam("extra", None, type_=Json),
    )
    .returning(things.c.id)
)
PUT = Query(
    insert(things)
    .values(id=bindparam("id"), name=bindparam("name"))
    .on_conflict_do_update(index_elements=["id"], set_={"name": bindparam("name")})
)
BY_NAME = Query(select(things).where(things.c.name == bindparam("name")), Thing)
NAMES = Query(select(things.c.name).order_by(things.c.id), Name)
SCANNED = Query(select(things.c.name).where(things.c.name.like("%")).order_by(things.c.id), scans=True)
COUNT = Query(select(func.count().label("n")).select_from(things))
RENAME_ALL = Query(update(things).values(name=bindparam("new")), scans=True)
RENAME = Query(update(things).where(things.c.name == bindparam("old")).values(name=bindparam("new")))


@pytest.fixture
async def db(database_url: str) -> AsyncIterator[Database]:
    engine = sync_engine(database_url)
    with engine.begin() as connection:
        metadata.create_all(connection)
    database = make_database(database_url)
    await database.open()
    yield database
    await database.close()


async def add(db: Database, *names: str) -> list[int]:
    """Add things; gives their ids."""
    async with db.transaction() as tx:
        return [await tx.value(ADD, name=name) for name in names]
