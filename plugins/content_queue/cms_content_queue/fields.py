"""From front matter, as Jekyll, Hugo and Zola have people write it, to fields of a post's body."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from cms_content_queue.front_matter import Value

_TRUE, _FALSE = frozenset({"true", "yes", "on", "1"}), frozenset({"false", "no", "off", "0"})
#: Keys of the SEO object (spec); each also stands for itself beside the others.
SEO = (
    "meta_title", "meta_description", "focus_keyword", "canonical_url", "robots", "og_title", "og_description",
    "og_image", "schema_type",
)  # fmt: skip
#: Keys with mappings in which each key counts for itself.
_GROUPS = ("seo", "editorial", "taxonomies")
_NUMBER = re.compile(r"[+-]?\d+")
#: Where a picture's path stands, if the key holds more than that; then whoever wrote something.
_PICTURE, _PERSON = ("image", "path", "src", "url", "relative_path"), ("username", "email", "name")


class Described(NamedTuple):
    """What front matter says, by where it goes."""

    #: Fields of a post's body; parts of its objects as `seo.robots`. Beside them the queue's own: `author`, `date`,
    #: `is_draft`.
    fields: dict[str, Any]
    #: What goes nowhere, by its own keys.
    unknown: dict[str, Value]
    #: Keys whose values could not be made use of; they are among the unknown ones.
    unfit: list[str]


def describe(front_matter: Mapping[str, Value]) -> Described:
    """Sort front matter. Of two keys that mean one thing the first counts; keys without a value count for nothing."""
    fields: dict[str, Any] = {}
    unknown: dict[str, Value] = {}
    unfit: list[str] = []
    for key, value in _flat(front_matter):
        places, read = _KEYS.get(key.lower().replace("-", "_"), ((), None))
        place = next((place for place in places if place not in fields), None)
        try:
            if place is None or read is None:
                unknown[key] = value
            else:
                fields[place] = read(value)
        except _Unfit:
            unknown[key] = value
            unfit.append(key)
    return Described(fields, unknown, unfit)


def body_of(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The same as a post's body has them: with objects for `seo.robots` and the like."""
    body: dict[str, Any] = {}
    for name, value in fields.items():
        group, _, inner = name.rpartition(".")
        (body.setdefault(group, {}) if group else body)[inner] = value
    return body


def _flat(front_matter: Mapping[str, Value]) -> Iterator[tuple[str, Value]]:
    """Keys that have a value, those of the objects by their full names."""
    for key, value in front_matter.items():
        if key.lower() in _GROUPS and isinstance(value, dict):
            yield from ((f"{key}.{inner}", each) for inner, each in value.items() if not _is_blank(each))
        elif not _is_blank(value):
            yield key, value


def _is_blank(value: Value) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


class _Unfit(ValueError):
    """A value that the key can't have."""


def _text(value: Value) -> str:
    if not isinstance(value, str) or _is_blank(value):
        raise _Unfit
    return value.strip()


def _flag(value: Value) -> bool:
    word = value.strip().lower() if isinstance(value, str) else ""
    if word not in _TRUE | _FALSE:
        raise _Unfit
    return word in _TRUE


def _not(value: Value) -> bool:
    return not _flag(value)


def _open(value: Value) -> str:
    """`comment_status`, of its own words or of whether there are comments."""
    return value if value in ("open", "closed") else "open" if _flag(value) else "closed"


def _kind(value: Value) -> str:
    if value not in ("post", "page"):
        raise _Unfit
    return str(value)


def _term(value: Value) -> list[str]:
    """The name of a category or tag, or a list of names."""
    return [_text(each) for each in value if each is not None] if isinstance(value, list) else [_text(value)]


def _terms(value: Value) -> list[str]:
    """Names as a list, or in one text, parted by commas or else, as Jekyll does, by blanks."""
    if isinstance(value, list):
        return _term(value)
    text = _text(value)
    names = [name.strip() for name in text.split(",")] if "," in text else text.split()
    return [name for name in names if name]


def _category(value: Value) -> list[str]:
    return _no_ids(_term(value))


def _categories(value: Value) -> list[str]:
    return _no_ids(_terms(value))


def _no_ids(names: list[str]) -> list[str]:
    """:raises _Unfit: a name that a post's body would take for the id of a category."""
    if any(_NUMBER.fullmatch(name) for name in names):
        raise _Unfit
    return names


def _one(value: Value, inner: tuple[str, ...]) -> str:
    """A text, or the first of a list, or what a mapping has under the first of these keys that it has."""
    if isinstance(value, list) and value:
        value = value[0]
    if isinstance(value, dict):
        value = next((value[key] for key in inner if value.get(key)), None)
    return _text(value)


def _picture(value: Value) -> str:
    return _one(value, _PICTURE)


def _person(value: Value) -> str:
    return _one(value, _PERSON)


Reader = Callable[[Value], Any]


def _keys(*rows: tuple[str, tuple[str, ...], Reader]) -> dict[str, tuple[tuple[str, ...], Reader]]:
    return {name: (targets, read) for names, targets, read in rows for name in names.split()}


#: By their names in small letters with underscores: where a value goes (to the first of the places that is free), and
#: how it is read.
_KEYS = _keys(
    ("title", ("title",), _text),
    ("slug", ("slug",), _text),
    ("excerpt summary", ("excerpt",), _text),
    ("description", ("excerpt", "seo.meta_description"), _text),
    ("categories", ("categories",), _categories),
    ("category", ("categories",), _category),
    ("tags", ("tags",), _terms),
    ("taxonomies.categories", ("categories",), _category),
    ("taxonomies.tags", ("tags",), _term),
    ("tag", ("tags",), _term),
    ("type", ("type",), _kind),
    ("comments comment_status", ("comment_status",), _open),
    ("featured is_featured", ("is_featured",), _flag),
    ("cover cover_image featured_image feature_image image thumbnail", ("featured_image",), _picture),
    ("author authors", ("author",), _person),
    ("date publishdate publish_date published_at", ("date",), _text),
    ("draft", ("is_draft",), _flag),
    ("published", ("is_draft",), _not),
    *((f"{name} seo.{name}", (f"seo.{name}",), _text) for name in SEO),
    ("canonical canonicalurl", ("seo.canonical_url",), _text),
    ("seo.title", ("seo.meta_title",), _text),
    ("seo.description", ("seo.meta_description",), _text),
    ("ymyl editorial.ymyl", ("editorial.ymyl",), _flag),
    ("sources editorial.sources", ("editorial.sources",), _term),
    ("ai_disclosure editorial.ai_disclosure", ("editorial.ai_disclosure",), _text),
    ("original_notes editorial.original_notes", ("editorial.original_notes",), _text),
)
