"""Which statements a site runs and how, for tests that say what something costs."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from cms_host.db import Database, Query


#: PostgreSQL would rather read and sort the small tables of a test whole: it does so only where it must.
ALONG_INDEXES = "-c enable_seqscan=off -c enable_sort=off"


class Ran(NamedTuple):
    """A statement as it came to the driver."""

    sql: str
    arguments: tuple[Any, ...]


@contextmanager
def listening_to_statements(db: "Database") -> Iterator[list[Ran]]:
    """The statements that are run outside of transactions, in their order, for as long as the block lasts."""
    ran: list[Ran] = []
    run = db.all

    async def listening(query: "Query[Any]", /, **values: Any) -> list[Any]:
        compiled = query.compiled(db.dialect)
        ran.append(Ran(compiled.sql, compiled.arguments(values)))
        return await run(query, **values)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(db, "all", listening)
        yield ran


def plan(url: str, ran: Ran, options: str = ALONG_INDEXES) -> str:
    """The steps by which a database runs a statement, one a line.

    :param options: of PostgreSQL's connection.
    """
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            steps = connection.execute(f"EXPLAIN QUERY PLAN {ran.sql}", ran.arguments).fetchall()
        return "\n".join(step[3] for step in steps)
    import psycopg

    with psycopg.connect(url, options=options) as remote:
        found = remote.execute(f"EXPLAIN (FORMAT JSON) {ran.sql}", ran.arguments).fetchone()
    assert found is not None
    return "\n".join(_nodes(found[0][0]["Plan"]))


def _nodes(node: dict[str, Any]) -> Iterator[str]:
    yield f"{node['Node Type']} {node.get('Relation Name', '')} {node.get('Index Name', '')}"
    for each in node.get("Plans", ()):
        yield from _nodes(each)
