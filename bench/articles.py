"""Articles to measure with: one kind of text for the floors' rows, the drafts made and the posts published.

Words are made of syllables by a seeded generator and drawn by Zipf's law as in prose, so that full-text and
similarity indexes meet a natural vocabulary while no two articles come near each other.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

#: With letters of Turkish, as the demo posts have: text that is not ASCII costs drivers and parsers more.
_ONSETS = (*"bcçdfghjklmnprsştvyz", "bl", "br", "çr", "dr", "fl", "gr", "kr", "pl", "sp", "st", "tr")
_VOWELS = (*"aeıioöuü", "ay", "ey", "oy")
_CODAS = ("", "", "", "", "ck", "l", "m", "n", "nd", "ng", "r", "s", "st", "t", "x")
_VOCABULARY_SIZE = 4000
#: Words that occur most often are short ones, as in every language.
_COMMON = 300
#: Characters of markup and text that an article has at least; 3 KB once its last block is in.
_CONTENT_LENGTH = 2900
_TAGS = re.compile(r"<[^>]*>")


@dataclass(frozen=True)
class Article:
    """One article: a plain-text title, and about 3 KB of clean HTML with some 2,500 visible characters."""

    title: str
    content: str

    @property
    def text(self) -> str:
        """The visible text, in one line."""
        return " ".join(_TAGS.sub(" ", self.content).split())


def articles(seed: int, *, image: str = "", link: str = "") -> Iterator[Article]:
    """Yield distinct articles without end, the same ones for the same seed.

    Each shows the image at `image` and links to the path `link`; what is empty is left out.
    """
    words = _vocabulary()
    chance = random.Random(seed)
    while True:
        yield Article(_title(chance, words), _content(chance, words, image, link))


def titles(seed: int) -> Iterator[str]:
    """Yield titles of that kind without end, without the work of their texts."""
    words = _vocabulary()
    chance = random.Random(seed)
    while True:
        yield _title(chance, words)


def _title(chance: random.Random, words: list[str]) -> str:
    return " ".join(chance.sample(words, 7)).capitalize()


def _vocabulary() -> list[str]:
    chance = random.Random(1)
    words: dict[str, None] = {}
    while len(words) < _VOCABULARY_SIZE:
        syllables = chance.choice((1, 1, 2, 2, 2, 3))
        words["".join(_syllable(chance) for _ in range(syllables))] = None
    found = list(words)
    return sorted(found[:_COMMON], key=len) + found[_COMMON:]


def _syllable(chance: random.Random) -> str:
    return f"{chance.choice(_ONSETS)}{chance.choice(_VOWELS)}{chance.choice(_CODAS)}"


def _sentence(chance: random.Random, words: list[str]) -> str:
    ranks = (int(len(words) ** chance.random()) - 1 for _ in range(chance.randint(8, 18)))
    return " ".join(words[rank] for rank in ranks).capitalize() + "."


def _content(chance: random.Random, words: list[str], image: str, link: str) -> str:
    parts: list[str] = []
    if link:
        parts.append(f'<p>See <a href="{escape(link)}">this page</a> too. {_sentence(chance, words)}</p>')
    if image:
        parts.append(f'<figure><img src="{escape(image)}" alt="{_sentence(chance, words)}"></figure>')
    length = sum(map(len, parts))
    while length < _CONTENT_LENGTH:
        parts.append(_block(chance, words, len(parts)))
        length += len(parts[-1])
    return "\n".join(parts)


def _block(chance: random.Random, words: list[str], place: int) -> str:
    one, two, three = (_sentence(chance, words) for _ in range(3))
    match place % 5:
        case 0:
            return f"<h2>{one}</h2>"
        case 2:
            return f"<ul>\n<li>{one}</li>\n<li><strong>{two}</strong></li>\n<li>{three}</li>\n</ul>"
        case 4:
            return f'<blockquote><p>{one} <a href="https://example.org/{place}">{two}</a></p></blockquote>'
        case _:
            return f"<p>{one} <em>{two}</em> {three}</p>"
