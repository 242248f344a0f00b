"""Comparing a column with any number of values in one compiled statement.

An `IN (...)` has one text for each number of values; this has one text for all of them.
"""

from collections.abc import Callable, Iterable
from typing import Any

import orjson
from sqlalchemy import ColumnElement, Dialect, bindparam, func, select
from sqlalchemy.types import UserDefinedType


class _Values(UserDefinedType[Any]):
    """A list of values as one argument: an array on PostgreSQL, JSON text on SQLite.

    Of no type that SQLAlchemy knows, for it would cast the argument to it.
    """

    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Callable[[Any], Any]:
        return list if dialect.name == "postgresql" else _dump


def _dump(values: Iterable[Any]) -> str:
    return orjson.dumps(list(values)).decode()


def one_of(compared: ColumnElement[Any], name: str) -> dict[str, ColumnElement[bool]]:
    """`compared` equals one of the values of the parameter `name`: a condition for each dialect.

    Build one statement of each, as in ``Query({dialect: select(...).where(condition) for dialect, condition in
    one_of(posts.c.id, "ids").items()})``. The value of the parameter is any iterable of integers or strings.
    """
    values = bindparam(name, type_=_Values(), required=True)
    each = func.json_each(values).table_valued("value")
    return {
        "sqlite": compared.in_(select(each.c.value)),
        "postgresql": compared == func.any(values),
    }
