"""The big list of naughty strings (see naughty_strings.LICENSE), and what becomes of them in text fields."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from html.parser import HTMLParser
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from unicodedata import normalize
from urllib.parse import quote

NAUGHTY: tuple[str, ...] = tuple(
    dict.fromkeys(json.loads(Path(__file__).with_name("naughty_strings.json").read_text("utf-8")))
)
_TAG = re.compile(r"</?[a-z][a-z0-9:-]*(?:[\s/][^<>]*)?>|<[!?][^<>]*>", re.IGNORECASE | re.ASCII)
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*", re.ASCII)


def in_path(text: str) -> str:
    return quote(text, safe="")


def plain(text: str) -> str:
    """What a plain-text field keeps (contract 3), but for white space around it: NFC, and no tags."""
    text = normalize("NFC", text)
    while (stripped := normalize("NFC", _TAG.sub("", text))) != text:
        text = stripped
    return text.strip()


def reads_plain(sent: str, read: Any) -> bool:
    return isinstance(read, str) and read.strip() == plain(sent)


def _reads_slug(sent: str, read: Any) -> bool:
    return _SLUG.fullmatch(read) is not None and len(read) <= 200


class _Inert(HTMLParser):
    """Notes whatever would run."""

    def __init__(self) -> None:
        super().__init__()
        self.runs: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "style", "object", "embed", "form", "svg", "math"):
            self.runs.append(tag)
        for name, value in attrs:
            if name.startswith("on") or (name not in ("alt", "title") and "script:" in (value or "").lower()):
                self.runs.append(name)


def _reads_content(sent: str, read: Any) -> bool:
    """What it may hold is the sanitiser's own tests' matter; here, that it is something, and nothing that runs."""
    parser = _Inert()
    parser.feed(read)
    return bool(read.strip()) and not parser.runs


def _reads_address(sent: str, read: Any) -> bool:
    """Addresses are taken as they are, or not at all."""
    return bool(read == normalize("NFC", sent).strip())


def _reads_email(sent: str, read: Any) -> bool:
    """E-mail addresses are compared, hence kept, without case and width."""
    return bool(read == normalize("NFKC", sent).lower().strip())


def _reads_ip(sent: str, read: Any) -> bool:
    """Addresses of machines are brought to their one form."""
    return bool(read == (str(ip_address(sent.strip())) if sent.strip() else ""))


def _reads_tags(sent: list[str], read: Any) -> bool:
    """A tag of such a name, perhaps spelt as the one that was there before."""
    return len(read) == (1 if plain(sent[0]) else 0)


def _reads_categories(sent: list[str], read: Any) -> bool:
    """Only what is a number may name one."""
    return not read or sent[0].isdecimal()


#: How fields read back that are not plain text; None for those that do not.
NOT_PLAIN: Mapping[str, Callable[[Any, Any], bool] | None] = {
    "slug": _reads_slug,
    "content": _reads_content,
    "tags": _reads_tags,
    "categories": _reads_categories,
    "password": None,
    "email": _reads_email,
    "into": None,
    "author_email": _reads_address,
    "author_ip": _reads_ip,
    "seo.canonical_url": _reads_address,
    "seo.og_image": _reads_address,
    "seo.schema_type": _reads_address,
    "seo.robots": _reads_address,
}
#: Where something empty is sent, they follow from other fields (contract 4).
DERIVED = ("excerpt", "slug", "name")


def texts(schema: Mapping[str, Any], text: str) -> dict[str, Any]:
    """A body that has the text in every field that takes free text, nested ones included."""
    return {name: value for name, field in schema["properties"].items() if (value := _filled(field, text)) is not None}


def _filled(field: Mapping[str, Any], text: str) -> Any:
    if "properties" in field:
        return texts(field, text) or None
    if field.get("type") == "array":
        return [text]
    return text if field.get("type") == "string" and "enum" not in field else None


def without(body: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The body without the field that an error names, as in `editorial.sources.0`."""
    first, _, rest = name.partition(".")
    inner = body.get(first)
    if isinstance(inner, dict) and rest:
        return {**body, first: without(inner, rest)}
    return {key: value for key, value in body.items() if key != first}


def misread(sent: Mapping[str, Any], record: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """The fields that do not read back as they must."""
    for name, value in sent.items():
        where = f"{path}{name}"
        if isinstance(value, dict) and name in record:
            yield from misread(value, record[name], f"{where}.")
        elif where in NOT_PLAIN:
            reads = NOT_PLAIN[where]
            if reads is not None and not reads(value, record[name]):
                yield f"{where}: {value!r} reads back as {record[name]!r}"
        elif not _reads_back(value, record.get(name)) and not (name in DERIVED and not plain(value)):
            yield f"{where}: {value!r} reads back as {record.get(name)!r}"


def _reads_back(sent: Any, read: Any) -> bool:
    if isinstance(sent, list):
        return isinstance(read, list) and [plain(each) for each in sent if plain(each)] == [
            each.strip() for each in read if each.strip()
        ]
    return reads_plain(sent, read)
