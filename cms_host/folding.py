"""Folding for comparison and search (contract 3): I, ı, İ and i are one letter.

Case, the accents of the Turkish letters, width and compatibility forms, and runs of space do not count. Folding may
change the length of a text: "ﬁ" is "fi", "ß" is "ss", an accent written as a character of its own is one with its
letter.
"""

import re
from unicodedata import normalize

#: Letters of the Turkish alphabet, and what is left of them, once they are lower case and taken apart (NFKD): the
#: accents are cedilla, breve, diaeresis, the circumflex of â î û, and the dot of İ.
_ACCENTED = re.compile(
    "(?<=[cs])\u0327+|(?<=g)\u0306+|(?<=o)\u0308+|(?<=u)[\u0308\u0302]+|(?<=a)\u0302+|(?<=i)[\u0307\u0302]+"
)


def fold(text: str) -> str:
    """Fold a text; without space at its ends, and with its other space in single blanks. Idempotent."""
    if not text.isascii():
        # Only here: compatibility forms of the dotless i (a mathematical one) have come apart.
        apart = normalize("NFKD", text).replace("ı", "i").casefold()
        text = normalize("NFKC", _ACCENTED.sub("", normalize("NFKD", apart)))
    return " ".join(text.lower().split())
