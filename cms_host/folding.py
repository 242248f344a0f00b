"""Folding for comparison and search (contract 3): I, ı, İ and i are one letter.

Case, the accents of the Turkish letters, width and compatibility forms, and runs of space do not count. There are two
variants, made from the same rules for one character:

- `fold_title` folds all of it, and may change the length: "ﬁ" is "fi", "ß" is "ss", an accent written as a character
  of its own is one with its letter, and runs of space are one space. For comparing.
- `fold_keep_length` gives one character for each, so that a position in the folded text is the same position in the
  original. What can't be done in one character stays: "ﬁ" and "ß", a separate accent, every space of a run.
  For the search index, whose hits are marked in the original.

Both are idempotent.
"""

import re
from functools import lru_cache
from unicodedata import normalize

#: Grows with every change of what folding gives; an index made with another version asks for `reindex`.
FOLD_VERSION = 1

#: Letters of the Turkish alphabet, and what is left of them, once they are lower case and taken apart (NFKD): the
#: accents are cedilla, breve, diaeresis, the circumflex of â î û, and the dot of İ.
_ACCENTED = re.compile(
    "(?<=[cs])\u0327+|(?<=g)\u0306+|(?<=o)\u0308+|(?<=u)[\u0308\u0302]+|(?<=a)\u0302+|(?<=i)[\u0307\u0302]+"
)
_NOT_ASCII = re.compile("[^\0-\x7f]")


def fold_title(text: str) -> str:
    """Fold a text for comparison; without space at its ends, and with its other space in single blanks."""
    if not text.isascii():
        text = _fold(text)
    return " ".join(text.lower().split())


def fold_keep_length(text: str) -> str:
    """Fold a text for search, one character for one."""
    if not text.isascii():
        text = _NOT_ASCII.sub(_fold_match, text)
    return text.lower()


def _fold(text: str) -> str:
    # Only here: compatibility forms of the dotless i (a mathematical one) have come apart.
    apart = normalize("NFKD", text).replace("ı", "i").casefold()
    return normalize("NFKC", _ACCENTED.sub("", normalize("NFKD", apart)))


def _fold_match(match: re.Match[str]) -> str:
    return _fold_character(match[0])


@lru_cache(maxsize=4096)
def _fold_character(character: str) -> str:
    folded = _fold(character)
    return folded if len(folded) == 1 else character
