"""Front matter: what a file says of itself before its text, in YAML between lines of `---` or in TOML between `+++`.

Every value is read as text, a list or a mapping, whatever a YAML parser would make of it: a title `2024` stays a
title, and a version `1.10` does not become 1.1. What may cost more than it is worth (aliases, deep nesting, great
length) is refused (docs/decisions/0027).
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from typing import Any, NamedTuple

import yaml

#: Longest front matter, in characters.
LIMIT = 16_384
#: Lists and mappings that may be inside each other, the outermost mapping included.
DEEPEST = 8
_YAML_FENCE, _TOML_FENCE = re.compile(r"---[ \t]*"), re.compile(r"\+\+\+[ \t]*")
_YAML_END = re.compile(r"(?:---|\.\.\.)[ \t]*")
#: Plain scalars that stand for nothing.
_NOTHING = frozenset({"", "~", "null", "Null", "NULL"})

#: Text, None, or a list or mapping of values.
Value = Any


class Unusable(ValueError):
    """What is wrong with a file, in words."""


class Split(NamedTuple):
    """A file's text in its two parts."""

    front_matter: Mapping[str, Value]
    content: str


def split(text: str) -> Split:
    """A file's front matter, empty where it has none, and what follows it.

    :raises Unusable: the front matter does not end, can't be read, or is more than may be read.
    """
    lines = text.splitlines(keepends=True)
    first = lines[0].rstrip("\r\n") if lines else ""
    for fence, end, read in ((_YAML_FENCE, _YAML_END, _read_yaml), (_TOML_FENCE, _TOML_FENCE, _read_toml)):
        if fence.fullmatch(first):
            inner = _until(lines, end)
            values = read("".join(lines[1:inner]))
            _check_text(values)
            return Split(values, "".join(lines[inner + 1 :]))
    return Split({}, text)


def _until(lines: list[str], end: re.Pattern[str]) -> int:
    """Index of the line that ends the front matter."""
    length = 0
    for index, line in enumerate(lines[1:], 1):
        if end.fullmatch(line.rstrip("\r\n")):
            return index
        length += len(line)
        if length > LIMIT:
            raise Unusable(f"the front matter is longer than {LIMIT} characters, or does not end")
    raise Unusable("the front matter begins and does not end")


def _read_yaml(text: str) -> dict[str, Value]:
    try:
        return _document(yaml.parse(text, Loader=yaml.BaseLoader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise Unusable(f"the front matter is no YAML:{_line(mark)} {error.problem or error.context}") from error
    except yaml.YAMLError as error:
        raise Unusable(f"the front matter is no YAML: {str(error).partition(chr(10))[0]}") from error


def _document(events: Iterator[yaml.Event]) -> dict[str, Value]:
    found: Value = None
    documents = 0
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise Unusable("the front matter is more than one YAML document")
            found = _value(next(events), events, 0)
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise Unusable("the front matter is no list of keys with values")
    return found


def _value(event: yaml.Event, events: Iterator[yaml.Event], depth: int) -> Value:
    if isinstance(event, yaml.ScalarEvent):
        return None if event.style is None and event.value in _NOTHING else event.value
    if isinstance(event, yaml.AliasEvent):
        raise Unusable(f"the front matter has an alias (*{event.anchor}),{_line(event.start_mark)} which is not read")
    if depth == DEEPEST:
        raise Unusable(f"the front matter is nested more than {DEEPEST} levels deep")
    if isinstance(event, yaml.SequenceStartEvent):
        return [_value(each, events, depth + 1) for each in _inside(events, yaml.SequenceEndEvent)]
    return _mapping(events, depth)


def _mapping(events: Iterator[yaml.Event], depth: int) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for event in _inside(events, yaml.MappingEndEvent):
        if not isinstance(event, yaml.ScalarEvent):
            raise Unusable(f"the front matter has a key that is no text,{_line(event.start_mark)}".rstrip(","))
        if event.value in found:
            raise Unusable(f"the front matter says {event.value!r} twice")
        found[event.value] = _value(next(events), events, depth + 1)
    return found


def _inside(events: Iterator[yaml.Event], end: type[yaml.Event]) -> Iterator[yaml.Event]:
    while not isinstance(event := next(events), end):
        yield event


def _line(mark: yaml.Mark | None) -> str:
    """Where in the file; the fence is its first line."""
    return "" if mark is None else f" line {mark.line + 2},"


def _read_toml(text: str) -> dict[str, Value]:
    try:
        return {key: _as_text(value, 1) for key, value in tomllib.loads(text).items()}
    except tomllib.TOMLDecodeError as error:
        raise Unusable(f"the front matter is no TOML: {error}") from error
    except Unusable:
        raise
    except (ValueError, RecursionError) as error:
        raise Unusable("the front matter has a number that is too long, or lists in too many lists") from error


def _as_text(value: Value, depth: int) -> Value:
    """A value of TOML as the same YAML would be read."""
    if isinstance(value, dict | list) and depth == DEEPEST:
        raise Unusable(f"the front matter is nested more than {DEEPEST} levels deep")
    if isinstance(value, dict):
        return {key: _as_text(each, depth + 1) for key, each in value.items()}
    if isinstance(value, list):
        return [_as_text(each, depth + 1) for each in value]
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return str(value)


def _check_text(value: Value) -> None:
    """:raises Unusable: it holds what no text holds, by way of an escape."""
    if isinstance(value, dict):
        for key, each in value.items():
            _check_text(key)
            _check_text(each)
    elif isinstance(value, list):
        for each in value:
            _check_text(each)
    elif value is not None and not is_text(value):
        raise Unusable("the front matter has a character that no text may hold (NUL, or half of one)")


def is_text(value: str) -> bool:
    """Whether every database and every reader takes it: no NUL, no lone surrogates."""
    try:
        return b"\0" not in value.encode()
    except UnicodeEncodeError:
        return False
