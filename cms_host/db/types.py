"""Column types that mean the same on SQLite and on PostgreSQL.

Every value crosses between Python and the database here and nowhere else. Moments are whole microseconds since
the epoch, in UTC, on both: one integer sorts, compares and indexes alike and needs no conversion on the way
(docs/decisions/0002).
"""

from collections.abc import Callable
from typing import Any

import orjson
from sqlalchemy import BigInteger, Boolean, Dialect, Integer, MetaData, Text, TypeDecorator

#: Identifiers. SQLite only gives `INTEGER PRIMARY KEY` its row-id meaning, hence the variant.
Id = BigInteger().with_variant(Integer(), "sqlite")
#: Microseconds since 1970-01-01T00:00:00Z.
Instant = BigInteger
Flag = Boolean
#: Text that is only ever ASCII (slugs, codes), sorted by its bytes whatever the database's locale is.
Ascii = Text().with_variant(Text(collation="C"), "postgresql")

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


def new_metadata() -> MetaData:
    """An empty MetaData with the project's constraint names; every plugin has its own."""
    return MetaData(naming_convention=NAMING)


class Json(TypeDecorator[Any]):
    """Any JSON value, kept as text."""

    impl = Text
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Callable[[Any], str | None]:
        return _dump

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[str | None], Any]:
        return _load


def _dump(value: Any) -> str | None:
    return None if value is None else orjson.dumps(value).decode()


def _load(text: str | None) -> Any:
    return None if text is None else orjson.loads(text)
