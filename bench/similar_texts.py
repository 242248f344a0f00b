"""Pairs of titles and of texts that are nearly the same: known ones, those that occur, and those that editing makes.

The data that is not ours is read from the folder that `bench.similarity --data` names, and is not in the repository.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, pairwise
from pathlib import Path
from typing import NamedTuple

from rapidfuzz import fuzz, process

from cms_host.api import fold, overlaps
from cms_host.post_index.shingles import shingles

#: Our own, for where there is no other data.
TURKISH = (
    "İstanbul'da kışın gezilecek yerler", "Evde ekşi mayalı ekmek nasıl yapılır", "Bodrum'da son bahar günleri",
    "Küçük bahçeler için sulama rehberi", "Arıcılığa yeni başlayanlara öneriler", "Eski haritaların anlattığı şehir",
    "Gece trenleri geri mi dönüyor?", "Zeytin hasadında bilinmesi gerekenler", "Rüzgâr türbinleri ve kuş göçleri",
    "Sahaflar çarşısında bir gün", "Kapadokya'da balon turu fiyatları 2026", "Deprem çantasında neler bulunmalı?",
    "Öğrenciler için bütçe dostu tarifler", "Güneş paneli taktırmadan önce okuyun", "Çocuklarla müze gezmenin yolları",
    "Karadeniz yaylalarında üç gün", "İkinci el bisiklet alırken dikkat", "Uzaktan çalışanların sırt ağrısı",
    "Meclis yeni iklim yasasını görüştü", "Merkez Bankası faiz kararını açıkladı", "Barajlardaki su seviyesi düşüyor",
    "Yerel tohumlar neden önemli?", "Göl kıyısında kamp kurmanın kuralları", "Fırıncılar un fiyatlarından şikâyetçi",
)  # fmt: skip
ENGLISH = (
    "A beginner's guide to sourdough bread", "What the old maps say about the city", "Are night trains coming back?",
    "Ten quiet beaches for the last of summer", "How to read a weather chart", "Second-hand bicycles: what to look for",
    "Council votes on new harbour plan", "Why local seeds matter more than ever", "Solar panels: before you sign",
    "Wind farms and the paths of birds", "Museums that children ask to see again", "The bakers who work at midnight",
    "Three days in mountain villages", "Central bank leaves rates unchanged", "Reservoirs at their lowest since 95",
    "Working from home without back pain", "A short history of the city gardens", "Recipes for a student budget",
    "Olive harvest: what growers expect", "An evening at the second-hand bookshops", "How bees find their way home",
    "Ferry to the islands: times and fares 2026", "Storm damage closes coastal railway", "Is your emergency kit ready?",
)  # fmt: skip
_LETTERS = "abcdefghijklmnoprstuvyz"

Pair = tuple[str, str]
Edit = Callable[[random.Random, list[str], Sequence[str]], None]


class News(NamedTuple):
    """Texts by name, and the pairs of them that are said to be near-duplicates."""

    texts: dict[str, str]
    known: set[frozenset[str]]


def read_news(folder: Path) -> News:
    """Read `articles_2500.train` and `.truth` of github.com/chrisjmccormick/MinHash (MIT licence)."""
    lines = (folder / "articles_2500.train").read_text("utf-8").splitlines()
    texts = {name: text for name, _, text in (line.partition(" ") for line in lines)}
    pairs = (folder / "articles_2500.truth").read_text("utf-8").splitlines()
    return News(texts, {frozenset(line.split()) for line in pairs})


def read_titles(file: Path) -> list[str]:
    """The titles of a file that has one in each line, folded, each once."""
    found = (fold(line) for line in file.read_text("utf-8").splitlines())
    return list(dict.fromkeys(title for title in found if 15 <= len(title) <= 110))


def occurring(titles: Sequence[str], threshold: float, sample: int, seed: int = 1) -> Iterator[tuple[str, set[str]]]:
    """For a sample of folded titles, all others that are too similar, by looking at every one."""
    for title in random.Random(seed).sample(titles, min(sample, len(titles))):
        found = process.extract(title, titles, scorer=fuzz.ratio, score_cutoff=threshold * 100, limit=None)
        yield title, {other for other, _, _ in found if other != title}


def edited_titles(titles: Sequence[str], threshold: float, count: int, seed: int = 1) -> Iterator[Pair]:
    """Folded titles, and what one to three small changes make of them that is still too similar."""
    chance = random.Random(seed)
    vocabulary = [word for title in titles for word in title.split()]
    while count:
        title = chance.choice(titles)
        words, edit = title.split(), chance.choice(_EDITS)
        for _ in range(chance.choice((1, 1, 2, 3))):
            edit(chance, words, vocabulary)
        one, other = fold(title), fold(" ".join(words))
        if one != other and fuzz.ratio(one, other) >= threshold * 100:
            count -= 1
            yield one, other


def edited_texts(texts: Sequence[str], threshold: float, count: int, seed: int = 1) -> Iterator[Pair]:
    """Texts, and what editing makes of them that is just about still too similar: the hardest ones to find."""
    chance = random.Random(seed)
    vocabulary = [word for text in texts[:300] for word in text.split()]
    while count:
        words = chance.choice(texts).split()
        one = " ".join(words)
        for _ in range(max(1, round(len(words) * chance.choice((0.01, 0.02, 0.03))))):
            chance.choice(_EDITS)(chance, words, vocabulary)
        other = " ".join(words)
        if threshold <= overlaps(one, [other])[0] < threshold + 0.06:
            count -= 1
            yield one, other


def near_duplicates(texts: dict[str, str], threshold: float) -> set[frozenset[str]]:
    """Every pair of texts from the threshold on, by their shingles and nothing else."""
    sets = {name: shingles(text) for name, text in texts.items()}
    holders = defaultdict[str, list[str]](list)
    for name, found in sets.items():
        for shingle in found:
            holders[shingle].append(name)
    shared = Counter(pair for names in holders.values() for pair in combinations(names, 2))
    return {
        frozenset((one, other))
        for (one, other), both in shared.items()
        if both >= threshold * (len(sets[one]) + len(sets[other]) - both)
    }


def _drop(chance: random.Random, words: list[str], _: Sequence[str]) -> None:
    if len(words) > 2:
        words.pop(chance.randrange(len(words)))


def _add(chance: random.Random, words: list[str], vocabulary: Sequence[str]) -> None:
    words.insert(chance.randrange(len(words) + 1), chance.choice(vocabulary))


def _replace(chance: random.Random, words: list[str], vocabulary: Sequence[str]) -> None:
    words[chance.randrange(len(words))] = chance.choice(vocabulary)


def _mistype(chance: random.Random, words: list[str], _: Sequence[str]) -> None:
    place = chance.randrange(len(words))
    letters = list(words[place])
    letters[chance.randrange(len(letters))] = chance.choice(_LETTERS)
    words[place] = "".join(letters)


def _inflect(chance: random.Random, words: list[str], _: Sequence[str]) -> None:
    words[chance.randrange(len(words))] += chance.choice(("lar", "de", "nin", "s", "ed"))


def _number(chance: random.Random, words: list[str], _: Sequence[str]) -> None:
    words.append(str(chance.randrange(2030)))


def _swap(chance: random.Random, words: list[str], _: Sequence[str]) -> None:
    place, after = chance.choice(list(pairwise(range(len(words)))) or [(0, 0)])
    words[place], words[after] = words[after], words[place]


_EDITS: tuple[Edit, ...] = (_drop, _add, _replace, _mistype, _inflect, _number, _swap)
