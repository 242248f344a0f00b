"""Field types for bodies and query parameters: strict JSON types, and an error that knows its status.

Missing or mistyped is 400, well-formed but unacceptable is 422 (contract 2).
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

import marshmallow as ma

from cms_host.errors import FieldError, FieldErrors
from cms_host.moments import parse_moment

_NUMBER = re.compile(r"-?[0-9]{1,1000}", re.ASCII)
MAX_NUMBER = 2**63 - 1


class Unacceptable(str):
    """A message about a value that has the right type but can't be accepted; makes the answer a 422."""

    __slots__ = ()


def unacceptable(message: str) -> NoReturn:
    """:raises ValidationError: always, as a 422."""
    raise ma.ValidationError([Unacceptable(message)])


class Schema(ma.Schema):
    """A body or a query; what it does not know is ignored."""

    class Meta:
        unknown = ma.EXCLUDE


class Text(ma.fields.String):
    """A JSON string.

    :param required: must be there, and must hold more than white space.
    :param limit: most characters.
    """

    def __init__(self, *, limit: int = 100_000, filled: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._limit = limit
        self._filled = filled or self.required

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        if not isinstance(value, str):
            raise ma.ValidationError("Must be a string.")
        if self._filled and not value.strip():
            raise ma.ValidationError("Must not be empty.")
        if len(value) > self._limit:
            unacceptable(f"Must be at most {self._limit} characters long.")
        return value


class Choice(Text):
    """One of a few words; any other is 422."""

    def __init__(self, *choices: str, **kwargs: Any) -> None:
        super().__init__(metadata={"enum": list(choices)}, **kwargs)
        self._choices = choices

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        word = super()._deserialize(value, attr, data, **kwargs)
        if word not in self._choices:
            unacceptable(f"Must be one of {', '.join(self._choices)}.")
        return word


class Whole(ma.fields.Integer):
    """A JSON integer."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if type(value) is not int:
            raise ma.ValidationError("Must be an integer.")
        return value


class Number(ma.fields.Integer):
    """A whole number in a query string; anything else is 422. Too many digits are read as the largest integer."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if not isinstance(value, str) or not _NUMBER.fullmatch(value):
            unacceptable("Must be a whole number.")
        return max(-MAX_NUMBER, min(int(value[:20]), MAX_NUMBER))


class Flag(ma.fields.Boolean):
    """A JSON boolean."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if type(value) is not bool:
            raise ma.ValidationError("Must be true or false.")
        return value


class Texts(ma.fields.List[str]):
    """A JSON array of strings."""

    def __init__(self, *, limit: int = 1000, most: int = 1000, **kwargs: Any) -> None:
        super().__init__(Text(limit=limit), **kwargs)
        self._most = most

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> list[Any]:
        if not isinstance(value, list):
            raise ma.ValidationError("Must be an array of strings.")
        if len(value) > self._most:
            unacceptable(f"Must have at most {self._most} entries.")
        return super()._deserialize(value, attr, data, **kwargs)


class Moment(ma.fields.String):
    """A date and time as text (contract 3). Loaded as sent, for `parse_moment` needs the site's time zone."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        if not isinstance(value, str):
            raise ma.ValidationError("Must be a string.")
        try:
            parse_moment(value, "UTC")
        except ValueError:
            unacceptable("Must be a date and time such as 2026-01-31 09:30:00 or 2026-01-31T09:30:00+03:00.")
        return value


def load(schema: ma.Schema, data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that the schema knows and the data holds.

    :raises FieldErrors: 400 if any field is missing or mistyped, else 422.
    """
    try:
        loaded: dict[str, Any] = schema.load(data, unknown=ma.EXCLUDE)
    except ma.ValidationError as error:
        found = list(_flatten(error.messages, ""))
        status = 422 if all(isinstance(message, Unacceptable) for _, message in found) else 400
        raise FieldErrors([FieldError(name, str(message)) for name, message in found], status) from None
    return loaded


def _flatten(messages: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(messages, Mapping):
        for key, value in messages.items():
            # marshmallow files what is wrong with an object as a whole under `_schema`.
            inner = path if key == "_schema" else f"{path}.{key}" if path else str(key)
            yield from _flatten(value, inner or "body")
    elif isinstance(messages, list):
        for value in messages:
            yield from _flatten(value, path)
    else:
        yield path, messages
