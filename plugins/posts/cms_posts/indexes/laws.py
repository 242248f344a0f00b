"""A law is a statement that finds the rows which break it, and the words for such a row."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from sqlalchemy import Select, bindparam

from cms_host.api import Id, Query, Reader

#: Rows that are told of each law; whoever reads them wants to know what is wrong, not all of it.
MOST = 10
#: As good as no limit.
ALL = 2**31


class Law(NamedTuple):
    """Something that always holds between rows."""

    #: One statement, for it must see everything at one moment while others write.
    broken_by: Query[Any]
    tell: Callable[..., str]


def law(broken_by: Select[Any], tell: Callable[..., str]) -> Law:
    """A law that is the same on both databases.

    :param tell: is given the columns of a row.
    """
    return Law(Query(broken_by.limit(bindparam("most", type_=Id)), scans=True), tell)


async def broken(db: Reader, laws: Iterable[Law]) -> list[str]:
    """What breaks the laws, in words."""
    told: list[str] = []
    for each in laws:
        told += some([each.tell(*row) for row in await db.all(each.broken_by, most=MOST + 1)])
    return told


def some(lines: list[str]) -> list[str]:
    """As many lines as are told."""
    return lines if len(lines) <= MOST else [*lines[:MOST], "and there are more like these"]
