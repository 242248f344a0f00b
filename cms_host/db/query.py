"""A `Query` is a SQLAlchemy Core expression that is compiled once per dialect and then run on the driver."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, cast

from sqlalchemy import Dialect
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.sql.elements import BindParameter, ClauseElement
from sqlalchemy.types import TypeEngine
from typing_extensions import TypeVar

R = TypeVar("R", bound=tuple[Any, ...], default=tuple[Any, ...])
Convert = Callable[[Any], Any]

DIALECTS: Mapping[str, Dialect] = {
    "sqlite": SQLiteDialect_pysqlite(paramstyle="qmark"),
    "postgresql": cast("Any", PGDialect_psycopg)(paramstyle="format"),
}


class Bind(NamedTuple):
    """One place for a value in the SQL text."""

    name: str
    value: Any
    required: bool
    convert: Convert | None


@dataclass(frozen=True, slots=True)
class Compiled(Generic[R]):
    """SQL text of one dialect, and how values go in and rows come out."""

    sql: str
    binds: tuple[Bind, ...]
    #: Columns whose values need converting, by index.
    converts: tuple[tuple[int, Convert], ...]
    #: Makes a row of the query's type of a driver's row; None where that is one already.
    make_row: Callable[[Iterable[Any]], R] | None

    def arguments(self, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """The positional values of one execution.

        :raises KeyError: a value that the statement needs was not given.
        """
        return tuple([_argument(bind, values) for bind in self.binds])

    def rows(self, raw: list[Any]) -> list[R]:
        """Driver rows as rows of the query's type."""
        if self.converts:
            # Column by column: a function call for each row would take longer than the conversions.
            raw = [list(row) for row in raw]
            for index, convert in self.converts:
                for row in raw:
                    row[index] = convert(row[index])
        make = self.make_row
        return raw if make is None else [make(row) for row in raw]


class Query(Generic[R]):
    """A statement with named `bindparam`s, run by :class:`Reader` and :class:`Transaction`.

    :param statement: a Core `select`, `insert`, `update` or `delete`; or one for each dialect where they differ.
    :param row: a NamedTuple class whose fields are the statement's columns, in order; without one, rows are tuples.
    :param scans: the statement may read more rows than it returns (search, counts), or change any number of them (what
        refers to a deleted row goes with it), so SQLite runs it off the loop.
    :raises TypeError: the row class does not fit the columns.
    """

    __slots__ = ("_compiled", "_row", "_statements", "scans")

    def __init__(
        self, statement: ClauseElement | Mapping[str, ClauseElement], row: type[R] | None = None, *, scans: bool = False
    ) -> None:
        self._statements = statement if isinstance(statement, Mapping) else dict.fromkeys(DIALECTS, statement)
        self._row = row
        self.scans = scans
        self._compiled: dict[str, Compiled[R]] = {}
        for each in self._statements.values():
            _check_columns(each, row)

    def compiled(self, dialect: str) -> Compiled[R]:
        """The statement in a dialect's SQL, compiled at its first use."""
        found = self._compiled.get(dialect)
        if found is None:
            found = self._compiled[dialect] = _compile(self._statements[dialect], DIALECTS[dialect], self._row)
        return found


def _columns(statement: ClauseElement) -> list[Any]:
    return list(getattr(statement, "exported_columns", ()))


def _check_columns(statement: ClauseElement, row: type[Any] | None) -> None:
    names = tuple(column.key for column in _columns(statement))
    fields = getattr(row, "_fields", names)
    if fields != names:
        raise TypeError(f"{row} has the fields {fields}, the statement the columns {names}")


def _argument(bind: Bind, values: Mapping[str, Any]) -> Any:
    value = values[bind.name] if bind.required else values.get(bind.name, bind.value)
    return value if bind.convert is None else bind.convert(value)


def _compile(statement: ClauseElement, dialect: Dialect, row: type[R] | None) -> Compiled[R]:
    compiled = cast("Any", statement.compile(dialect=dialect, compile_kwargs={"render_postcompile": True}))
    binds = tuple(_bind(compiled.binds[name], name, dialect) for name in compiled.positiontup or ())
    found = [_result_conversion(column.type, dialect) for column in _columns(statement)]
    converts = tuple((index, convert) for index, convert in enumerate(found) if convert is not None)
    return Compiled(sql=str(compiled), binds=binds, converts=converts, make_row=_row_maker(row, bool(converts)))


def _bind(parameter: BindParameter[Any], name: str, dialect: Dialect) -> Bind:
    convert = parameter.type.dialect_impl(dialect).bind_processor(dialect)
    return Bind(name, parameter.effective_value, parameter.required, convert)


def _result_conversion(kind: TypeEngine[Any], dialect: Dialect) -> Convert | None:
    return kind.dialect_impl(dialect).result_processor(dialect, None)


def _row_maker(row: type[Any] | None, converted: bool) -> Callable[[Iterable[Any]], Any] | None:
    if row is not None:
        return cast("Any", row)._make  # type: ignore[no-any-return]
    return tuple if converted else None
