"""What there is to know about sanitised content without a parser: the worker sees it once, and it is stored.

This module is light: the event loop's process imports it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import unescape
from math import ceil
from typing import Any

from cms_posts.profiles import words
from cms_posts.urls import srcset_urls

#: Words read in a minute (contract 4).
WORDS_PER_MINUTE = 200
#: Characters of a derived excerpt, the ellipsis not counted (contract 4).
EXCERPT_LENGTH = 160

# The serializer of this package escapes "<" and ">" everywhere but in tags, and quotes every value with '"': so these
# two see exactly what a parser would.
_TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)([^>]*)>")
_ATTRIBUTE = re.compile(r' ([^\s=]+)="([^"]*)"')
#: Elements that do not part words.
_INLINE = words(
    "a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q rp rt ruby s samp small span strike strong",
    "sub sup time tt u var wbr",
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}


@dataclass(frozen=True, slots=True)
class Outline:
    """What gate rules, search and the derived fields want to know about one post's content."""

    #: What a reader sees, with every run of space (and every edge of a block) as one blank.
    text: str
    #: Level (1 to 6) and text of each heading, in order; empty ones too.
    headings: tuple[tuple[int, str], ...]
    #: The `href` of each link, in order.
    links: tuple[str, ...]
    #: The address of each image, in order: `src`, each candidate of a `srcset`, a video's `poster`.
    images: tuple[str, ...]


class _Collector:
    """Gathers an outline tag by tag."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.headings: list[tuple[int, str]] = []
        self.links: list[str] = []
        self.images: list[str] = []
        self._heading_from = 0

    def start(self, name: str, attributes: str) -> None:
        if name in _HEADINGS:
            self._heading_from = len(self.pieces)
        elif name == "a":
            self.links += _values(attributes, "href")
        elif name in ("img", "source", "video"):
            self._image(name, dict(_ATTRIBUTE.findall(attributes)))

    def end(self, name: str) -> None:
        if name in _HEADINGS:
            self.headings.append((_HEADINGS[name], _visible(self.pieces[self._heading_from :])))

    def _image(self, name: str, attributes: dict[str, str]) -> None:
        address = attributes.get({"img": "src", "video": "poster"}.get(name, ""))
        if address:
            self.images.append(unescape(address).strip())
        if "srcset" in attributes:
            self.images += srcset_urls(unescape(attributes["srcset"]))


def make_outline(html: str) -> Outline:
    """Read sanitised HTML (no other: see `cms_posts.html.sanitize`) once, in linear time."""
    collector = _Collector()
    parts = _TAG.split(html)
    collector.pieces.append(parts[0])
    for index in range(1, len(parts), 4):
        slash, name, attributes, text = parts[index : index + 4]
        if name not in _INLINE:
            collector.pieces.append(" ")
        if slash:
            collector.end(name)
        else:
            collector.start(name, attributes)
        collector.pieces.append(text)
    return Outline(
        _visible(collector.pieces), tuple(collector.headings), tuple(collector.links), tuple(collector.images)
    )


def outline_of(text: str, headings: Sequence[Any], links: Iterable[str], images: Iterable[str]) -> Outline:
    """Give an outline as it comes back from where it was stored as JSON, which knows no tuples."""
    return Outline(text, tuple((level, title) for level, title in headings), tuple(links), tuple(images))


def reading_time(text: str) -> int:
    """Give the minutes that a visible text takes to read, rounded up, at least 1."""
    return max(1, ceil(len(text.split()) / WORDS_PER_MINUTE))


def excerpt(text: str) -> str:
    """Give the first 160 characters of a visible text, cut at a word where there is one, with an ellipsis if cut."""
    if len(text) <= EXCERPT_LENGTH:
        return text
    head = text[: EXCERPT_LENGTH + 1].rpartition(" ")[0]
    if len(head) < EXCERPT_LENGTH / 2:
        # One word without end, or a script that writes no blanks.
        head = text[:EXCERPT_LENGTH]
    return head.rstrip(" ,;:.-–—") + "…"


def _values(attributes: str, wanted: str) -> list[str]:
    return [unescape(value).strip() for name, value in _ATTRIBUTE.findall(attributes) if name == wanted]


def _visible(pieces: list[str]) -> str:
    return " ".join(unescape("".join(pieces)).split())
