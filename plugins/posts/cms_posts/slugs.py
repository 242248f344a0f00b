"""Slugs out of titles (contract 3): ASCII, the Turkish way, at most 200 characters."""

from collections.abc import Iterator
from itertools import count

from slugify import slugify

from cms_posts.profiles import words

#: Longest slug, in characters.
LONGEST = 200
#: Slugs that would hide behind a path of the service, or that a browser or crawler asks every site for.
RESERVED = words(
    "admin ads-txt api assets docs favicon-ico feed health humans-txt index-html login logout manifest-json media",
    "members metrics openapi-json robots-txt rss rss-xml sitemap sitemap-xml static well-known",
)
#: What stands inside a word without parting it, in the order of how often it is met.
_APOSTROPHES = tuple((mark, "") for mark in "'’ʼ‘`´′＇")
#: More of a title than could ever end up in a slug is not looked at.
_ENOUGH = 20 * LONGEST


def slugify_title(title: str) -> str:
    """Give the slug of a title, or "" when nothing of it can be kept (then the caller takes `post-<id>`).

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


def candidates(base: str) -> Iterator[str]:
    """Give the slugs to try, without end: `base` unless it is reserved, then `base-2`, `base-3` and so on.

    Each keeps within 200 characters.
    """
    if base not in RESERVED:
        yield base[:LONGEST].rstrip("-")
    for number in count(2):
        suffix = f"-{number}"
        yield base[: LONGEST - len(suffix)].rstrip("-") + suffix
