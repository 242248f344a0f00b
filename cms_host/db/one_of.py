"""Comparing a column with any number of values in one compiled statement.

An `IN (...)`, or a chain of `AND`, has one text for each number of values; these have one text for all of them.
"""

from collections.abc import Callable, Iterable
from typing import Any

import orjson
from sqlalchemy import BindParameter, ColumnElement, Dialect, bindparam, exists, func, select
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
    values = _values(name)
    each = func.json_each(values).table_valued("value")
    return {
        "sqlite": compared.in_(select(each.c.value)),
        "postgresql": compared == func.any(values),
    }


def like_all(compared: ColumnElement[str], name: str) -> dict[str, ColumnElement[bool]]:
    """`compared` is LIKE every one of the patterns of the parameter `name`: a condition for each dialect.

    A backslash in a pattern takes the next character literally (see :func:`containing`).
    """
    values = _values(name)
    each = func.json_each(values).table_valued("value")
    return {
        "sqlite": ~exists().select_from(each).where(~compared.like(each.c.value, escape="\\")),
        "postgresql": compared.like(func.all(values)),
    }


def containing(text: str) -> str:
    """The LIKE pattern of what holds this text, whatever characters it is made of."""
    for special in ("\\", "%", "_"):
        text = text.replace(special, f"\\{special}")
    return f"%{text}%"


def _values(name: str) -> BindParameter[Any]:
    return bindparam(name, type_=_Values(), required=True)
