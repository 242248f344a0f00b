"""Where in a text the words are that were looked for.

Looked for is a folded text, and folding changes lengths (`ﬁ` is "fi", `İ` is "i"): so the text is folded word by word,
and a word with a hit once more piece by piece, to know where in it the hit begins and ends.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from cms_host.api import WORD, Sought, fold

#: Characters of a text that are looked at.
SEARCHED_LENGTH = 200_000
_PIECE = re.compile(r"\S+")
#: Longer ones are not worth remembering how they fold.
_COMMON_LENGTH = 30


class Mark(NamedTuple):
    """One hit: the characters from `start` to `end`, which is not among them, and what it is a hit of."""

    start: int
    end: int
    term: str


class _Word(NamedTuple):
    """A folded word, and the characters of the text that it is made of."""

    text: str
    start: int
    end: int


def find_marks(text: str, sought: Sought) -> list[Mark]:
    """All hits in a text, in order; none overlaps another."""
    phrases = {each: tuple(WORD.findall(each)) for each in sought.terms.words}
    firsts = _by_first_word(phrases, sought.begun)
    text = text[:SEARCHED_LENGTH]
    words = list(_interesting(text, phrases, sought.begun))
    found = _parted(_phrases(words, firsts, sought.begun))
    if not sought.terms.letters:
        return found
    # A word is marked as a whole, whatever else is in it.
    taken = {place for mark in found for place in range(mark.start, mark.end)}
    others = [each for each in _letters(text, sought.terms.letters) if taken.isdisjoint(range(each.start, each.end))]
    return _parted([*found, *others])


def _by_first_word(phrases: Mapping[str, Sequence[str]], begun: str) -> list[tuple[str, Sequence[str]]]:
    # The one that may go on comes last: a term that is there as a whole is the better name of the hit.
    return sorted(phrases.items(), key=lambda item: item[0] == begun)


def _interesting(text: str, phrases: Mapping[str, Sequence[str]], begun: str) -> Iterator[_Word | None]:
    """The words of the text that any phrase has, in order; None stands for others between them."""
    whole = {word for words in phrases.values() for word in words}
    beginning = phrases[begun][-1] if begun else None
    for piece in _PIECE.finditer(text):
        words = _words_of(piece[0])
        if whole.isdisjoint(words) and not (beginning and any(each.startswith(beginning) for each in words)):
            if words:
                yield None
            continue
        for start, end, word in _placed(piece[0], words):
            known = word in whole or (beginning is not None and word.startswith(beginning))
            yield _Word(word, piece.start() + start, piece.start() + end) if known else None


def _phrases(words: Sequence[_Word | None], phrases: Iterable[tuple[str, Sequence[str]]], begun: str) -> Iterator[Mark]:
    for place, word in enumerate(words):
        if word is None:
            continue
        for term, wanted in phrases:
            there = words[place : place + len(wanted)]
            if _is_phrase(there, wanted, goes_on=term == begun):
                yield from (Mark(each.start, each.end, term) for each in there if each is not None)
                break


def _is_phrase(there: Sequence[_Word | None], wanted: Sequence[str], *, goes_on: bool) -> bool:
    if len(there) < len(wanted):
        return False
    *exact, last = [each.text if each is not None else "" for each in there]
    return exact == [*wanted[:-1]] and (last == wanted[-1] or (goes_on and last.startswith(wanted[-1])))


def _letters(text: str, letters: Sequence[str]) -> Iterator[Mark]:
    """Where the terms are that are too short for a word, or no word."""
    for piece in _PIECE.finditer(text) if letters else ():
        folded = _fold(piece[0])
        if not any(each in folded for each in letters):
            continue
        origins = _origins(piece[0], folded)
        for term in letters:
            for match in re.finditer(re.escape(term), folded):
                start, end = origins[match.start()][0], origins[match.end() - 1][1]
                yield Mark(piece.start() + start, piece.start() + end, term)


def _parted(marks: Iterable[Mark]) -> list[Mark]:
    """In order, without what overlaps an earlier one."""
    found: list[Mark] = []
    for mark in sorted(marks):
        if not found or mark.start >= found[-1].end:
            found.append(mark)
    return found


def _words_of(piece: str) -> Sequence[str]:
    return _common_words(piece) if len(piece) <= _COMMON_LENGTH else WORD.findall(fold(piece))


@lru_cache(maxsize=2**14)
def _common_words(piece: str) -> Sequence[str]:
    """Most texts have most of their words in common."""
    return tuple(WORD.findall(fold(piece)))


def _fold(piece: str) -> str:
    return _common_fold(piece) if len(piece) <= _COMMON_LENGTH else fold(piece)


@lru_cache(maxsize=2**14)
def _common_fold(piece: str) -> str:
    return fold(piece)


def _placed(piece: str, words: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """The words of a piece of text, each with its first character and the one behind its last."""
    folded = fold(piece)
    origins = _origins(piece, folded)
    for match in WORD.finditer(folded):
        yield origins[match.start()][0], origins[match.end() - 1][1], match[0]


def _origins(piece: str, folded: str) -> Sequence[tuple[int, int]]:
    """For each character of the folded piece, the characters that it is made of."""
    origins: list[tuple[int, int]] = []
    parts: list[str] = []
    for start, end in _clusters(piece):
        part = fold(piece[start:end])
        parts.append(part)
        origins += [(start, end)] * len(part)
    # Where a piece does not fold as its parts do, all of it is the hit.
    return origins if "".join(parts) == folded else [(0, len(piece))] * len(folded)


def _clusters(piece: str) -> Iterator[tuple[int, int]]:
    """Each character with the marks that go with it."""
    start = 0
    for place in range(1, len(piece) + 1):
        if place == len(piece) or not unicodedata.category(piece[place]).startswith("M"):
            yield start, place
            start = place
