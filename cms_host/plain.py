"""Plain text for titles, names and alt texts (contract 3): tags are removed, other characters kept as sent, in NFC."""

import re
from unicodedata import normalize

_BRACKETS = re.compile("([<>])")
#: What stands between "<" and ">" when the two are a tag, a comment or a declaration: "a < b", "<3" and
#: "<me@example.org>" are none.
_TAG = re.compile(r"/?[A-Za-z][A-Za-z0-9:-]*(?:[\s/].*)?|[!?].*", re.DOTALL)


def plain_text(value: str) -> str:
    """Give the text without its tags. Entities stay as sent, for this is no HTML.

    Linear in time, and idempotent: a tag that comes about by removing another one ("<<b>script>") is removed as well.
    """
    value = normalize("NFC", value)
    if "<" not in value:
        return value
    # What a tag stood between may be one character now.
    return normalize("NFC", _without_tags(value))


def _without_tags(value: str) -> str:
    """Read the brackets from left to right; each ">" looks back to the last "<" that is still open."""
    kept: list[str] = []
    opened: list[int] = []
    for piece in _BRACKETS.split(value):
        if piece == "<":
            opened.append(len(kept))
        elif piece == ">":
            if opened and _TAG.fullmatch("".join(kept[opened[-1] + 1 :])):
                del kept[opened.pop() :]
                continue
            # No tag reaches over a bracket that stays.
            opened.clear()
        kept.append(piece)
    return "".join(kept)
