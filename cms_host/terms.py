"""What a client looks for: words and signs, folded. Whatever else full-text languages know is just characters here."""

import re
from typing import NamedTuple

from cms_host.folding import fold

#: Most words that a client may look for at once.
MOST_TERMS = 32
#: Terms shorter than this are looked for anywhere, inside of words too (spec, GET /posts: search).
SHORTEST_WORD = 3
#: A word is a run of letters and digits.
WORD = re.compile(r"[^\W_]+")


class Terms(NamedTuple):
    """What to look for; whatever is found must have all of it, each in its title or its text."""

    #: Runs of characters with at least one word in them; several words of one run must follow each other.
    words: tuple[str, ...] = ()
    #: Too short for a word, or nothing that a word is made of: found anywhere.
    letters: tuple[str, ...] = ()


def parse_terms(text: str) -> Terms:
    """The terms of what a client typed.

    :raises ValueError: there are too many.
    """
    found = tuple(dict.fromkeys(fold(text).split()))
    if len(found) > MOST_TERMS:
        raise ValueError(f"Must have at most {MOST_TERMS} words.")
    words = tuple(each for each in found if len(each) >= SHORTEST_WORD and WORD.search(each))
    return Terms(words, tuple(each for each in found if each not in words))


def begun_word(text: str) -> str:
    """The term at the end of what a client typed, whose last word may be the beginning of a longer one; else ""."""
    last = fold(text).rpartition(" ")[2]
    return last if len(last) >= SHORTEST_WORD and WORD.match(last[-1]) else ""
