"""Run-time settings: declared by plugins with a type, a default and bounds; changed while the site runs."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Generic, NamedTuple, TypeVar, cast

from sqlalchemy import Column, Table, Text, bindparam, select, true, update

from cms_host.db import Id, Instant, Json, Query, Reader, Transaction, insert, new_metadata

T = TypeVar("T", str, int, float, bool, tuple[str, ...])

metadata = new_metadata()
values_table = Table(
    "settings",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", Json, nullable=False),
    Column("updated_at", Instant, nullable=False),
)
version_table = Table(
    "settings_version",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=False),
    Column("version", Id, nullable=False),
)

#: A scalar for statements that run anyway (the key look-up), so that a stale cache is noticed at no cost.
settings_version = select(version_table.c.version).where(version_table.c.id == 1).scalar_subquery()


class StoredValue(NamedTuple):
    version: int
    key: str | None
    value: Any


#: One statement, so that the values are those of the version; a single row without a key where nothing is set.
_ALL = Query(
    select(version_table.c.version, values_table.c.key, values_table.c.value)
    .outerjoin_from(version_table, values_table, true())
    .where(version_table.c.id == 1),
    StoredValue,
)
_VERSION = Query(select(version_table.c.version).where(version_table.c.id == 1))
_BUMP = Query(update(version_table).where(version_table.c.id == 1).values(version=version_table.c.version + 1))
_new = insert(values_table).values(key=bindparam("key"), value=bindparam("value"), updated_at=bindparam("now"))
_STORE = Query(
    _new.on_conflict_do_update(
        index_elements=["key"], set_={"value": _new.excluded.value, "updated_at": _new.excluded.updated_at}
    )
)


class InvalidSetting(ValueError):
    """A value that a setting does not take; the message names the setting and says what it takes."""

    def __init__(self, key: str, problem: str) -> None:
        super().__init__(f"{key}: {problem}")
        self.key = key
        #: The message without the setting's name.
        self.problem = problem


class WrongType(InvalidSetting):
    """The value is of another JSON type than the setting."""


@dataclass(frozen=True, slots=True)
class Setting(Generic[T]):
    """One run-time setting.

    :param key: dotted, beginning with the plugin's prefix (`gate.short_title.minimum`).
    :param default: what holds until somebody sets it; its type is the setting's type.
    :param minimum: least number, or least length of a text that is not empty.
    :param secret: written but never shown.
    :param check: called with a value that is otherwise fine; raises ValueError where it is of no use.
    """

    key: str
    default: T
    description: str
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    secret: bool = False
    check: Callable[[T], object] | None = None
    #: Awaited in the transaction that writes a value; raises ValueError where the site as it is has no use for it.
    admit: Callable[[Transaction, T], Awaitable[object]] | None = None

    @property
    def type(self) -> str:
        """`string`, `integer`, `number`, `boolean` or `array`."""
        names = {str: "string", int: "integer", float: "number", bool: "boolean", tuple: "array"}
        return names[type(self.default)]

    def parse(self, value: Any) -> T:
        """A JSON value as this setting's value.

        :raises WrongType: not of this setting's type.
        :raises InvalidSetting: out of bounds, none of the choices, or of no use.
        """
        parsed = self._typed(value)
        if isinstance(parsed, str):
            self._check_bounds(len(parsed), " characters long", may_be=0)
        elif isinstance(parsed, int | float):
            self._check_bounds(parsed)
        if self.choices and parsed not in self.choices:
            raise InvalidSetting(self.key, f"must be one of {', '.join(self.choices)}")
        if self.check is not None:
            try:
                self.check(parsed)
            except ValueError as error:
                raise InvalidSetting(self.key, str(error)) from error
        return cast("T", parsed)

    def _typed(self, value: Any) -> Any:
        wanted = type(self.default)
        if wanted is tuple and isinstance(value, list | tuple) and all(isinstance(each, str) for each in value):
            return tuple(value)
        if wanted is float and isinstance(value, int | float) and type(value) is not bool and isfinite(value):
            return float(value)
        if type(value) is wanted and wanted not in (tuple, float):
            return value
        raise WrongType(self.key, f"must be of type {self.type}")

    def _check_bounds(self, size: float, unit: str = "", may_be: float | None = None) -> None:
        if self.minimum is not None and size < self.minimum and size != may_be:
            raise InvalidSetting(self.key, f"must be at least {self.minimum:g}{unit}")
        if self.maximum is not None and size > self.maximum:
            raise InvalidSetting(self.key, f"must be at most {self.maximum:g}{unit}")


class Settings:
    """The values in force. Reading is a dictionary look-up; `refresh` keeps it true to the database."""

    def __init__(self, declared: Mapping[str, Sequence[Setting[Any]]]) -> None:
        #: Setting and the plugin that declares it, by key.
        self.registry: dict[str, tuple[Setting[Any], str]] = {}
        self._values: dict[str, Any] = {}
        self._version = -1
        for plugin, settings in declared.items():
            self.declare(plugin, settings)

    def __getitem__(self, setting: Setting[T]) -> T:
        return cast("T", self._values.get(setting.key, setting.default))

    def declare(self, plugin: str, settings: Iterable[Setting[Any]]) -> None:
        """Know more settings; only before the first `refresh`, for values of unknown settings are not read.

        :raises ValueError: there is one of that key already.
        """
        for setting in settings:
            if setting.key in self.registry:
                raise ValueError(f"{plugin} and {self.registry[setting.key][1]} both declare {setting.key}")
            self.registry[setting.key] = (setting, plugin)

    def assume(self, values: Mapping[str, Any]) -> None:
        """Hold these values by key in place of stored ones, until those change; nothing is written.

        :raises KeyError: no such setting. :raises InvalidSetting: a value that it does not take.
        """
        self._values = self._values | {key: self.registry[key][0].parse(value) for key, value in values.items()}

    async def refresh(self, db: Reader, version: int | None = None) -> None:
        """Read the values again if `version` (or the stored one) is not the one that is held."""
        current = await db.value(_VERSION) if version is None else version
        held = self._version
        if current == held:
            return
        rows = await db.all(_ALL)
        # Another request may have read newer values while this one waited for its own.
        if self._version == held or rows[0].version > self._version:
            self._values = dict(self._known(rows))
            self._version = rows[0].version

    async def store(self, tx: Transaction, changes: Mapping[str, Any], now: int) -> None:
        """Write values by key; every host sees them at its next request.

        :raises KeyError: no such setting. :raises InvalidSetting: a value that it does not take.
        """
        # In one order, so that two writers of the same settings do not wait for each other.
        for key, value in sorted(changes.items()):
            setting = self.registry[key][0]
            parsed = setting.parse(value)
            await _admit(setting, tx, parsed)
            await tx.send(_STORE, key=key, value=parsed, now=now)
        await tx.send(_BUMP)

    def _known(self, rows: Iterable[StoredValue]) -> Iterable[tuple[str, Any]]:
        for _, key, value in rows:
            if key in self.registry:
                try:
                    yield key, self.registry[key][0].parse(value)
                except InvalidSetting:  # A later release narrowed it: the default holds until somebody sets it anew.
                    continue


async def _admit(setting: Setting[T], tx: Transaction, value: T) -> None:
    if setting.admit is not None:
        try:
            await setting.admit(tx, value)
        except ValueError as error:
            raise InvalidSetting(setting.key, str(error)) from error
