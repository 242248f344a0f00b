"""Made-up posts for trying and measuring."""

import random
from collections.abc import Iterator
from typing import NamedTuple

from cms_host.api import slug_of
from cms_posts.outline import Outline, excerpt, reading_time
from cms_posts.post import DRAFT, PENDING, PUBLISHED, Post, facing_of

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
    "kıyı",
    "boyunca",
    "yürüyen",
    "yolcu",
    "sabahın",
    "erken",
    "saatinde",
    "balıkçıların",
    "seslerini",
    "duyar",
    "ve",
    "limanın",
    "ışıkları",
    "yavaşça",
    "söner",
    "the",
    "old",
    "road",
    "follows",
    "the",
    "river",
    "past",
    "quiet",
    "gardens",
    "where",
    "every",
    "house",
    "keeps",
    "a",
    "lamp",
    "in",
    "the",
    "window",
    "until",
    "morning",
    "şehir",
    "arşivi",
    "yüz",
    "yıl",
    "önceki",
    "haritaları",
    "sakladı",
    "çünkü",
    "her",
    "sokak",
    "bir",
    "hikâye",
    "anlatır",
    "ve",
    "her",
    "köprü",
    "başka",
    "bir",
    "zamanı",
    "people",
    "who",
    "work",
    "with",
    "their",
    "hands",
    "remember",
    "the",
    "weather",
    "better",
    "than",
    "any",
    "book",
    "and",
    "they",
    "trade",
    "that",
    "memory",
    "at",
    "markets",
]
_DAY = 86_400_000_000


class DemoPost(NamedTuple):
    """A post, and what the worker would have seen in it."""

    post: Post
    outline: Outline


def make_posts(count: int, author_id: int, now: int) -> Iterator[DemoPost]:
    """The same varied posts for the same arguments: two years of them, most published, about 3 KB of HTML each.

    :param now: microseconds since the epoch; the newest post is from about then.
    """
    chance = random.Random(count)  # noqa: S311 - nothing here is a secret.
    for number in range(1, count + 1):
        yield _make(number, count, author_id, now, chance)


def _make(number: int, count: int, author_id: int, now: int, chance: random.Random) -> DemoPost:
    title = f"{chance.choice(_SUBJECTS)} {chance.choice(_ANGLES)} ({number})"
    html, outline = _body(chance)
    created = now - (count - number) * 730 * _DAY // count - chance.randrange(1_000_000)
    status = chance.choices((PUBLISHED, DRAFT, PENDING), (94, 5, 1))[0]
    post = Post(
        id=number, type="page" if chance.random() < 0.02 else "post", status=status, visibility="public",
        author_id=author_id, title=title, slug=slug_of(title), excerpt=excerpt(outline.text),
        featured_image=f"demo/{number % 50}.jpg", comment_status="open", is_featured=chance.random() < 0.05,
        reading_time=reading_time(outline.text), view_count=chance.randrange(5000), ymyl=False, sources=[],
        ai_disclosure=None, original_notes=None, scheduled_at=None,
        published_at=created if status == PUBLISHED else None, created_at=created, updated_at=created,
        content_modified_at=created, content_hash="", reviewed_at=None, reviewed_by=None, reviewed_hash=None,
        approved_hash=None, password_hash=None, content=html,
    )  # fmt: skip
    digest = facing_of(post).digest
    return DemoPost(post._replace(content_hash=digest, approved_hash=digest if status == PUBLISHED else None), outline)


def _body(chance: random.Random) -> tuple[str, Outline]:
    html: list[str] = []
    text: list[str] = []
    headings: list[tuple[int, str]] = []
    for _ in range(3):
        heading = _sentence(chance, 4)
        paragraphs = [_sentence(chance, 75) for _ in range(2)]
        headings.append((2, heading))
        text += [heading, *paragraphs]
        html += [f"<h2>{heading}</h2>", *(f"<p>{paragraph}</p>" for paragraph in paragraphs)]
    html.append('<p><a href="/arsiv">arşiv</a></p>')
    return "\n".join(html), Outline(" ".join([*text, "arşiv"]), tuple(headings), ("/arsiv",), ())


def _sentence(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(_WORDS, k=words)).capitalize() + "."
