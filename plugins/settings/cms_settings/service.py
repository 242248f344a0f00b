"""Reading and changing settings: all of a change or nothing."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cms_host.api import FieldError, FieldErrors, InvalidSetting, NotFound, UnitOfWork, WrongType
from cms_settings.records import MASK, setting_record


class SettingService:
    """The settings of the host and of every loaded plugin."""

    def __init__(self, unit: UnitOfWork) -> None:
        self._unit = unit
        self._settings = unit.host.settings

    def keys(self) -> list[str]:
        """Every key, sorted."""
        return sorted(self._settings.registry)

    def read(self, key: str) -> dict[str, Any]:
        """One setting with the value in force.

        :raises NotFound: there is no such setting.
        """
        if key not in self._settings.registry:
            raise NotFound
        setting, plugin = self._settings.registry[key]
        return setting_record(setting, self._settings[setting], plugin)

    def read_all(self, keys: Iterable[str]) -> list[dict[str, Any]]:
        """:raises NotFound: there is no such setting."""
        return [self.read(key) for key in keys]

    async def change(self, changes: Mapping[str, Any], names: Mapping[str, str] | None = None) -> None:
        """Write new values by key; they hold here from now on, and on every other host from its next request.

        :param names: what the client calls the values, where that is not their keys.
        :raises FieldErrors: keys that no setting has (422), and values that none takes (422; 400 for another type).
        """
        called = names or {}
        problems = list(self._problems(changes))
        if problems:
            errors = [FieldError(called.get(key, key), message) for key, message, _ in problems]
            raise FieldErrors(errors, 400 if any(mistyped for *_, mistyped in problems) else 422)
        wanted = {key: value for key, value in changes.items() if not self._is_masked(key, value)}
        if wanted:
            await self._store(wanted, called)
            await self._settings.refresh(self._unit.host.db)

    async def _store(self, values: Mapping[str, Any], called: Mapping[str, str]) -> None:
        try:
            async with self._unit.write() as write:
                await self._settings.store(write.tx, values, self._unit.host.clock.now())
        except InvalidSetting as error:
            raise FieldErrors([FieldError(called.get(error.key, error.key), _sentence(error.problem))], 422) from error

    def _problems(self, changes: Mapping[str, Any]) -> Iterator[tuple[str, str, bool]]:
        """Key, message, and whether the value is of another type."""
        for key, value in changes.items():
            if key not in self._settings.registry:
                yield key, "There is no setting of this name.", False
            elif not self._is_masked(key, value):
                try:
                    self._settings.registry[key][0].parse(value)
                except InvalidSetting as error:
                    yield key, _sentence(error.problem), isinstance(error, WrongType)

    def _is_masked(self, key: str, value: Any) -> bool:
        return bool(value == MASK and self._settings.registry[key][0].secret)


def _sentence(problem: str) -> str:
    return f"{problem[:1].upper()}{problem[1:].rstrip('.')}."
