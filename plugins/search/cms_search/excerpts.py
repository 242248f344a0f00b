"""The part of a text that shows why it was found, as HTML with the hits marked. Pure."""

import re
from collections import Counter
from collections.abc import Sequence
from html import escape

from cms_search.marks import Mark

#: Characters of an excerpt, and how many of them stand before the first hit, where the text has them.
LENGTH = 200
BEFORE = 40
_SPACE = re.compile(r"\s")


def excerpt(text: str, marks: Sequence[Mark]) -> str:
    """A part of the text around its most telling hits, or its beginning where there are none.

    Without the marks, and with its entities resolved, it is a part of the text as it is: no dots stand for the rest.
    """
    first = _best(marks)
    start, end = _window(text, marks[first] if marks else Mark(0, 0, ""))
    pieces, reached = [], start
    for mark in marks[first:]:
        if mark.end > end:
            break
        pieces += [escape(text[reached : mark.start]), f"<mark>{escape(text[mark.start : mark.end])}</mark>"]
        reached = mark.end
    return "".join([*pieces, escape(text[reached:end])])


def _best(marks: Sequence[Mark]) -> int:
    """The hit to begin with: where most of the terms come together, and among such places most hits, the first."""
    best, best_value = 0, (0, 0)
    inside: Counter[str] = Counter()
    behind = 0
    for first, mark in enumerate(marks):
        while behind < len(marks) and marks[behind].end <= mark.start + LENGTH - BEFORE:
            inside[marks[behind].term] += 1
            behind += 1
        value = len(inside), behind - first
        if value > best_value:
            best, best_value = first, value
        inside -= Counter({mark.term: 1})
    return best


def _window(text: str, mark: Mark) -> tuple[int, int]:
    """Where the part begins and ends: at words, unless there are none, and never inside the hit."""
    start = max(0, mark.start - BEFORE)
    if start:
        cut = _SPACE.search(text, start - 1, mark.start)
        start = cut.end() if cut else start
    end = max(start + LENGTH, mark.end)
    if end >= len(text):
        return start, len(text)
    head = text[mark.end : end + 1]
    cut_at = max((match.start() for match in _SPACE.finditer(head)), default=0)
    return start, mark.end + cut_at if cut_at else end
