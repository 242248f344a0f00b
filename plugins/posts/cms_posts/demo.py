"""Made-up posts for trying and measuring."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from cms_host.api import DAY, slug_of
from cms_posts.outline import Outline, excerpt, reading_time
from cms_posts.post import DRAFT, PENDING, PUBLISHED, Post, facing_of
from cms_posts.relations import Relations

_SUBJECTS = (
    "Kıyı kentleri", "Harbour towns", "Dağ köyleri", "Mountain railways", "Eski haritalar", "Old maps",
    "Şehir bahçeleri", "City gardens", "Gece pazarları", "Night markets", "Rüzgâr enerjisi", "Wind power",
    "Ekmek ustaları", "Bakers", "Arıcılık", "Beekeeping", "Sahaflar", "Second-hand bookshops",
)  # fmt: skip
_ANGLES = (
    "yeniden keşfediliyor", "after the storm", "için pratik bir kılavuz", "in numbers", "üzerine notlar",
    "and their future", "bir günlük rota", "a beginner's guide", "arşivden", "seen from the water",
)  # fmt: skip
_WORDS = [
    "kıyı", "boyunca", "yürüyen", "yolcu", "sabahın", "erken", "saatinde", "balıkçıların", "seslerini", "duyar",
    "ve", "limanın", "ışıkları", "yavaşça", "söner", "the", "old", "road", "follows", "the", "river", "past",
    "quiet", "gardens", "where", "every", "house", "keeps", "a", "lamp", "in", "the", "window", "until", "morning",
    "şehir", "arşivi", "yüz", "yıl", "önceki", "haritaları", "sakladı", "çünkü", "her", "sokak", "bir", "hikâye",
    "anlatır", "ve", "her", "köprü", "başka", "bir", "zamanı", "people", "who", "work", "with", "their", "hands",
    "remember", "the", "weather", "better", "than", "any", "book", "and", "they", "trade", "that", "memory", "at",
    "markets",
]  # fmt: skip
_SYLLABLES = [
    "ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "zu", "da", "fe", "gi", "ho", "ju", "la", "me", "ni",
    "po", "ru",
]  # fmt: skip
#: Of the names of people, which only titles have: without them thousands of titles would be nearly the same.
_SOUNDS = [
    "bel", "bro", "cem", "dor", "dun", "fer", "fin", "gar", "hal", "jen", "kor", "lun", "mar", "nor", "pel", "ros",
    "sel", "tor", "ven", "wil", "yar", "zel",
]  # fmt: skip
#: Posts in which one place is named, whatever the number of posts.
_NAMED_IN = 40
#: Categories, each with its children.
TREE = {
    "Gezi": ("Sahiller", "Dağlar", "Demiryolları"),
    "Kentler": ("Mahalleler", "Pazarlar", "Bahçeler", "Müzeler"),
    "Çalışma": ("Zanaatlar", "Tarım", "Enerji"),
    "Arşiv": ("Haritalar", "Mektuplar"),
}
TAGS = tuple(f"{each} {number}" for each in _SUBJECTS for number in (1, 2, 3))


class DemoPost(NamedTuple):
    """A post, and what the worker would have seen in it."""

    post: Post
    outline: Outline


def place_names(count: int) -> list[str]:
    """The places that `count` posts tell of, each in a handful of them."""
    return [_place(number) for number in range(max(2, 2 * count // _NAMED_IN))]


def make_posts(count: int, author_id: int, now: int) -> Iterator[DemoPost]:
    """The same varied posts for the same arguments: two years of them, most published, about 3 KB of HTML each.

    :param now: microseconds since the epoch; the newest post is from about then.
    """
    chance = random.Random(count)  # noqa: S311 - nothing here is a secret.
    for number in range(1, count + 1):
        yield _make(number, count, author_id, now, chance)


def _make(number: int, count: int, author_id: int, now: int, chance: random.Random) -> DemoPost:
    title = f"{_people(number)}: {chance.choice(_SUBJECTS)} {chance.choice(_ANGLES)} ({number})"
    html, outline = _body(chance, [_place(chance.randrange(max(2, 2 * count // _NAMED_IN))) for _ in range(2)])
    created = now - (count - number) * 730 * DAY // count - chance.randrange(1_000_000)
    status = chance.choices((PUBLISHED, DRAFT, PENDING), (94, 5, 1))[0]
    post = Post(
        id=number, type="page" if chance.random() < 0.02 else "post", status=status, visibility="public",
        author_id=author_id, title=title, slug=slug_of(title), excerpt=excerpt(outline.text),
        featured_image=f"https://images.example/demo/{number % 50}.jpg", comment_status="open",
        is_featured=chance.random() < 0.05,
        reading_time=reading_time(outline.text), view_count=chance.randrange(5000), ymyl=False, sources=[],
        ai_disclosure=None, original_notes=None, scheduled_at=None,
        published_at=created if status == PUBLISHED else None, created_at=created, updated_at=created,
        content_modified_at=created, content_hash="", reviewed_at=None, reviewed_by=None, reviewed_hash=None,
        approved_hash=None, password_hash=None, trashed_at=None, content=html,
    )  # fmt: skip
    digest = facing_of(post).digest
    return DemoPost(post._replace(content_hash=digest, approved_hash=digest if status == PUBLISHED else None), outline)


def file_post(made: DemoPost, shelves: Mapping[int, int | None], tags: Sequence[int]) -> tuple[DemoPost, Relations]:
    """Put a post under one or two categories and up to four tags; for the same arguments under the same.

    :param shelves: ids of categories and their parents'. :param tags: ids.
    """
    post, outline = made
    chance = random.Random(post.id)  # noqa: S311 - nothing here is a secret.
    categories = sorted({chance.choice(list(shelves)) for _ in range(chance.choice((1, 1, 2)))})
    parents = {parent for each in categories if (parent := shelves[each]) is not None}.difference(categories)
    # The first tags are on many posts, the last on few.
    tagged = sorted({tags[int(len(tags) * chance.random() ** 2)] for _ in range(chance.randrange(5))})
    relations = Relations(tuple(categories), tuple(tagged), tuple(sorted(parents)))
    digest = facing_of(post, relations.categories, relations.tags).digest
    approved = digest if post.status == PUBLISHED else None
    return DemoPost(post._replace(content_hash=digest, approved_hash=approved), outline), relations


def _place(number: int) -> str:
    """A name of three syllables or more, another for each number."""
    syllables = [_SYLLABLES[number % 20], _SYLLABLES[number // 20 % 20], _SYLLABLES[number // 400 % 20]]
    while number := number // (8000 if len(syllables) == 3 else 20):
        syllables.append(_SYLLABLES[number % 20])
    return "".join(syllables).capitalize()


def _people(number: int) -> str:
    """The names of three people."""
    chance = random.Random(number)  # noqa: S311 - nothing here is a secret.
    one, two, three = ("".join(chance.choices(_SOUNDS, k=4)).capitalize() for _ in range(3))
    return f"{one}, {two} ve {three}"


def _body(chance: random.Random, places: Sequence[str]) -> tuple[str, Outline]:
    html: list[str] = []
    text: list[str] = []
    headings: list[tuple[int, str]] = []
    for _ in range(3):
        heading = _sentence(chance, 4)
        paragraphs = [_sentence(chance, 75) for _ in range(2)]
        headings.append((2, heading))
        text += [heading, *paragraphs]
        html += [f"<h2>{heading}</h2>", *(f"<p>{paragraph}</p>" for paragraph in paragraphs)]
    told = " ve ".join(places)
    html.append(f'<p>{told}: <a href="/arsiv">arşiv</a></p>')
    return "\n".join(html), Outline(" ".join([*text, f"{told}: arşiv"]), tuple(headings), ("/arsiv",), ())


def _sentence(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(_WORDS, k=words)).capitalize() + "."
