"""Field types for bodies and query parameters: strict JSON types, and an error that knows its status.

Missing or mistyped is 400, well-formed but unacceptable is 422 (contract 2).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple, NoReturn

import marshmallow as ma
from marshmallow.validate import Length, OneOf

from cms_host.errors import FieldError, FieldErrors
from cms_host.moments import MOMENT_FORM, parse_moment

_NUMBER = re.compile(r"-?[0-9]{1,1000}", re.ASCII)
MAX_NUMBER = 2**63 - 1
INT64: Mapping[str, Any] = {"format": "int64"}
INT64_ID: Mapping[str, Any] = {"type": "integer", **INT64}


#: More than white space: Python counts five controls among that which regular expressions of JSON Schema do not.
FILLED = r"[^\s\x1c-\x1f\x85]"


class Unacceptable(str):
    """A message about a value that has the right type but can't be accepted; makes the answer a 422."""

    __slots__ = ()


def unacceptable(message: str) -> NoReturn:
    """:raises ValidationError: always, as a 422."""
    raise ma.ValidationError([Unacceptable(message)])


class Schema(ma.Schema):
    """A body or a query; what it does not know is ignored."""

    #: For the document: fields that a body must have, one of these sets; what is loaded is up to the service.
    alternatives: ClassVar[Sequence[Sequence[str]]] = ()

    class Meta:
        unknown = ma.EXCLUDE


class _Field(ma.fields.Field[Any]):
    """A field whose validators answer 422, for what comes to them has the right type."""

    #: What OpenAPI says of every field of this class; `metadata` adds to it.
    documented: ClassVar[Mapping[str, Any]] = {}
    #: A regular expression of what it takes as one of several values of a query parameter.
    form = "[^,]*"

    def __init__(self, *args: Any, metadata: Mapping[str, Any] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, metadata={**self.documented, **(metadata or {})}, **kwargs)

    def _validate(self, value: Any) -> None:
        try:
            super()._validate(value)
        except ma.ValidationError as error:
            raise ma.ValidationError([Unacceptable(message) for message in error.messages]) from error


class Text(_Field, ma.fields.String):
    """A JSON string.

    :param required, filled: it must hold more than white space; a required one must also be there.
    :param limit: most characters, or None where something else sets the limit.
    """

    def __init__(self, *, limit: int | None = 100_000, filled: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._filled = filled or self.required
        if self._filled:
            self.metadata = {"minLength": 1, "pattern": FILLED, **self.metadata}
        if limit is not None:
            self.validators.insert(0, Length(max=limit, error="Must be at most {max} characters long."))

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        if not isinstance(value, str):
            raise ma.ValidationError("Must be a string.")
        if self._filled and not value.strip():
            raise ma.ValidationError("Must not be empty.")
        return value


class Choice(Text):
    """One of a few words; any other is 422."""

    def __init__(self, *choices: str, **kwargs: Any) -> None:
        super().__init__(limit=None, **kwargs)
        self.form = "|".join(map(re.escape, choices))
        self.validators.insert(0, OneOf(choices, error="Must be one of {choices}."))


class Whole(_Field, ma.fields.Integer):
    """A JSON integer."""

    documented = INT64

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if type(value) is not int:
            raise ma.ValidationError("Must be an integer.")
        return value


class Number(_Field, ma.fields.Integer):
    """A whole number in a query string; anything else is 422. One beyond 64 bits is read as the largest there is."""

    form = _NUMBER.pattern

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if not isinstance(value, str) or not _NUMBER.fullmatch(value):
            unacceptable("Must be a whole number.")
        return max(-MAX_NUMBER, min(int(value), MAX_NUMBER))


class Several(_Field, ma.fields.String):
    """Values parted by commas, in a query string; loaded as a tuple, each once and in their order.

    :param each: the field that one value must fit. :param most: most values; more are 422.
    """

    def __init__(self, each: ma.fields.Field[Any], *, most: int = 100, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        one = f" *(?:{getattr(each, 'form', _Field.form)}) *"
        self.metadata = {"pattern": f"^{one}(?:,{one}){{0,{most - 1}}}$", **self.metadata}
        self._each, self._most = each, most

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        sent = value.split(",", self._most)
        if len(sent) > self._most:
            unacceptable(f"Must have at most {self._most} values.")
        return tuple(dict.fromkeys(self._each.deserialize(part.strip(), attr, data) for part in sent))


class Flag(_Field, ma.fields.Boolean):
    """A JSON boolean."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if type(value) is not bool:
            raise ma.ValidationError("Must be true or false.")
        return value


class Texts(_Field, ma.fields.List[str]):
    """A JSON array of strings.

    :param limit: most characters of each. :param most: most entries.
    """

    def __init__(self, *, limit: int = 1000, most: int = 1000, **kwargs: Any) -> None:
        super().__init__(Text(limit=limit), **kwargs)
        self.metadata = {"maxItems": most, **self.metadata}
        self._most = most

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> list[Any]:
        if not isinstance(value, list):
            raise ma.ValidationError("Must be an array of strings.")
        # A validator would see it too late: after each of perhaps a million entries was looked at.
        if len(value) > self._most:
            unacceptable(f"Must have at most {self._most} entries.")
        return super()._deserialize(value, attr, data, **kwargs)


class Ids(_Field):
    """A JSON array of ids that takes anything for an entry (spec, POST /posts: what is no number is discarded).

    Loaded as the numbers, numeric strings among them, and the entries that are none, each once and in their order.
    """

    documented: ClassVar[Mapping[str, Any]] = {"type": "array", "items": {"oneOf": [INT64_ID, {"type": "string"}]}}

    def __init__(self, *, most: int = 1000, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.metadata = {"maxItems": most, **self.metadata}
        self._most = most

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> "SentIds":
        if not isinstance(value, list):
            raise ma.ValidationError("Must be an array.")
        if len(value) > self._most:
            unacceptable(f"Must have at most {self._most} entries.")
        numbers = [_as_id(each) for each in value]
        others = [each for each, number in zip(value, numbers, strict=True) if number is None]
        return SentIds(tuple(dict.fromkeys(each for each in numbers if each is not None)), tuple(others))


class SentIds(NamedTuple):
    """What a client sent where ids were asked for."""

    ids: tuple[int, ...]
    #: Entries that are no numbers, as they were sent.
    others: tuple[Any, ...] = ()


def _as_id(entry: Any) -> int | None:
    if isinstance(entry, str) and _NUMBER.fullmatch(entry.strip()):
        entry = int(entry)
    return entry if type(entry) is int and abs(entry) <= MAX_NUMBER else None


class Moment(_Field, ma.fields.String):
    """A date and time as text (contract 3). Loaded as sent, for `parse_moment` needs the site's time zone."""

    documented: ClassVar[Mapping[str, Any]] = {
        "pattern": f"^{MOMENT_FORM}$",
        # No `example`: the page at /docs would send it with every request that is tried.
        "description": "As 2026-01-31 09:30:00 in the site's time zone, as ISO 8601, or as a bare date.",
    }

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


def load_sent(schema: ma.Schema, data: Mapping[str, Any]) -> dict[str, Any]:
    """As :func:`load`, but quick where little of what the schema knows is there: queries have many parameters.

    marshmallow asks every field of a schema whether there is something for it.

    :raises FieldErrors: as :func:`load`.
    """
    fields = _optional(schema)
    if fields is None:
        return load(schema, data)
    try:
        found = [(fields[key], key, value) for key, value in data.items() if key in fields]
        return {name: field.deserialize(value, key, data) for (name, field), key, value in found}
    except ma.ValidationError:
        return load(schema, data)


@lru_cache(maxsize=1024)
def _optional(schema: ma.Schema) -> Mapping[str, tuple[str, ma.fields.Field[Any]]] | None:
    """Names and fields by parameter; None where a field counts though it was not sent, or the whole is validated."""
    validated = any(schema._hooks.values())
    if validated or any(each.required or each.load_default is not ma.missing for each in schema.fields.values()):
        return None
    return {field.data_key or name: (field.attribute or name, field) for name, field in schema.load_fields.items()}


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
