"""Everything that a database holds, for tests that say "nothing was written"."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Connection, Select


def dump(url: str) -> dict[str, list[tuple[Any, ...]]]:
    """The rows of every table, in a stable order."""
    from sqlalchemy import inspect

    from cms_host.migrate import sync_engine

    with sync_engine(url).connect() as connection:
        names = sorted(inspect(connection).get_table_names())
        return {name: _rows(connection, name) for name in names}


def _rows(connection: "Connection", name: str) -> list[tuple[Any, ...]]:
    from sqlalchemy import literal_column, select, table

    everything: Select[tuple[Any]] = select(literal_column("*")).select_from(table(name))
    return sorted((tuple(row) for row in connection.execute(everything)), key=repr)
