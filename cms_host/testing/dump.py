"""Everything that a database holds, for tests that say "nothing was written"."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Connection, Select


def dump(url: str, without: Collection[str] = ()) -> dict[str, list[tuple[Any, ...]]]:
    """The rows of every table, in a stable order.

    :param without: columns to leave out, as in `posts.updated_at`, and whole tables, as in `posts`.
    """
    from sqlalchemy import inspect

    from cms_host.migrate import sync_engine

    with sync_engine(url).connect() as connection:
        inspector = inspect(connection)
        names = sorted(set(inspector.get_table_names()) - set(without))
        columns = {
            name: [each["name"] for each in inspector.get_columns(name) if f"{name}.{each['name']}" not in without]
            for name in names
        }
        return {name: _rows(connection, name, columns[name]) for name in names}


def _rows(connection: "Connection", name: str, columns: Sequence[str]) -> list[tuple[Any, ...]]:
    from sqlalchemy import column, select, table

    everything: Select[*tuple[Any, ...]] = select(*(column(each) for each in columns)).select_from(table(name))
    return sorted((tuple(row) for row in connection.execute(everything)), key=repr)
