"""Slugs out of titles and names (contract 3): ASCII, the Turkish way, at most 200 characters."""

from collections.abc import Collection, Iterator
from itertools import count

from slugify import slugify

#: Longest slug, in characters.
LONGEST = 200
#: What stands inside a word without parting it, in the order of how often it is met.
_APOSTROPHES = tuple((mark, "") for mark in "'’ʼ‘`´′＇")
#: More of a title than could ever end up in a slug is not looked at.
_ENOUGH = 20 * LONGEST


def slug_of(title: str) -> str:
    """Give the slug of a title or a name, or "" when nothing of it can be kept.

    Letters of any script are spelled in ASCII, apostrophes vanish, everything else becomes one hyphen. A long slug is
    cut at a word where that is possible.
    """
    return slugify(
        title[:_ENOUGH],
        # The title is plain text: "&amp;" means just these five characters.
        entities=False,
        decimal=False,
        hexadecimal=False,
        max_length=LONGEST,
        word_boundary=True,
        save_order=True,
        replacements=_APOSTROPHES,
    )


def slug_candidates(base: str, reserved: Collection[str] = ()) -> Iterator[str]:
    """Give the slugs to try, without end: `base` unless it is reserved, then `base-2`, `base-3` and so on.

    Each keeps within 200 characters.
    """
    if base not in reserved:
        yield base[:LONGEST].rstrip("-")
    for number in count(2):
        suffix = f"-{number}"
        yield base[: LONGEST - len(suffix)].rstrip("-") + suffix
