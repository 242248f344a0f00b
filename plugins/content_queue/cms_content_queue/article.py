"""From a file to an article: what it holds, what it says of itself, and what is wrong with it."""

import re
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from cms_content_queue.fields import body_of, describe
from cms_content_queue.front_matter import Unusable, Value, is_text, split
from cms_content_queue.headings import first_heading
from cms_host.api import parse_moment

#: By the ends of files' names, in small letters.
FORMATS = {".md": "markdown", ".markdown": "markdown", ".html": "html", ".htm": "html"}
#: Largest file, in bytes; as much as a body of the API may be (contract 2).
LARGEST = 2 * 1024 * 1024
#: How Jekyll names its posts: the day, and then the slug.
_DATED = re.compile(r"(\d{4}-\d{2}-\d{2})-(.+)", re.ASCII | re.DOTALL)
#: A day as front matter often has it: 2024/1/31.
_SLASHED = re.compile(r"(\d{4})/(\d{1,2})/(\d{1,2})", re.ASCII)
#: Files that are named for their folder's sake.
_BUNDLE = ("index", "_index")


class Article(NamedTuple):
    """An article as it is queued."""

    #: SHA-256 of the file's bytes, in hex.
    digest: str
    title: str
    #: `markdown` or `html`.
    format: str
    content: str
    #: A username or an e-mail address, or whatever the file says instead; empty where it says nothing.
    author: str
    #: Microseconds since the epoch: when the file says that it appears.
    dated_at: int | None
    is_draft: bool
    #: Of a post's body, by name; neither title nor content.
    fields: dict[str, Any]
    #: What else the front matter says.
    unknown: dict[str, Value]
    #: What the operator should know, in words.
    remarks: tuple[str, ...]


def read_article(path: Path, zone: str) -> Article:
    """Read a file.

    :param zone: the site's, for dates without an offset.
    :raises Unusable: it is no article, or more than may be read. :raises OSError: it can't be read.
    """
    content_format = FORMATS.get(path.suffix.lower())
    if content_format is None:
        raise Unusable(f"is none of {', '.join(FORMATS)}")
    data = _bytes_of(path)
    front_matter, content = split(_decoded(data))
    if not content.strip():
        raise Unusable("has no text")
    found = describe(front_matter)
    fields, unknown, unfit = found.fields, found.unknown, found.unfit
    said = fields.pop("date", "")
    dated_at = _moment(said or _day_in(path), zone)
    if said and dated_at is None:
        unknown["date"] = said
        unfit.append("date")
    return Article(
        digest=sha256(data).hexdigest(),
        title=fields.pop("title", "") or first_heading(content, content_format) or _title_of(path),
        format=content_format,
        content=content,
        author=fields.pop("author", ""),
        dated_at=dated_at,
        is_draft=fields.pop("is_draft", False),
        fields=body_of(fields),
        unknown=unknown,
        remarks=_remarks(unknown, unfit),
    )


def _bytes_of(path: Path) -> bytes:
    if path.exists() and not path.is_file():
        # Reading a pipe might never end.
        raise Unusable("is no file")
    with path.open("rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise Unusable(f"is larger than {LARGEST} bytes")
    return data


def _decoded(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unusable("is no UTF-8 text") from error
    if not is_text(text):
        raise Unusable("holds a NUL character, so it is no text")
    return text


def _moment(text: str, zone: str) -> int | None:
    if day := _SLASHED.fullmatch(text):
        text = f"{day[1]}-{day[2]:0>2}-{day[3]:0>2}"
    try:
        return parse_moment(text, zone)
    except ValueError:
        return None


def _day_in(path: Path) -> str:
    """The date that a file's name begins with."""
    dated = _DATED.fullmatch(path.stem)
    return dated[1] if dated else ""


def _title_of(path: Path) -> str:
    """A title made of the file's name, or of its folder's where the file is named for that."""
    stem = path.absolute().parent.name if path.stem in _BUNDLE else path.stem
    dated = _DATED.fullmatch(stem)
    words = re.sub(r"[-_\s]+", " ", dated[2] if dated else stem).strip() or stem
    return words[:1].upper() + words[1:]


def _remarks(unknown: dict[str, Value], unfit: list[str]) -> tuple[str, ...]:
    others = [key for key in unknown if key not in unfit]
    told = [f"{', '.join(unfit)}: of no use as written, kept aside"] if unfit else []
    return (*told, *([f"unknown front matter is kept aside: {', '.join(others)}"] if others else []))
