"""How many of the near-duplicates that there are the rules find, and whom they accuse besides."""

from collections.abc import Iterable, Sequence, Set
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from bench.articles import articles
from bench.similar_host import findings, host_on, published, rule
from bench.similar_texts import (
    ENGLISH,
    TURKISH,
    News,
    edited_texts,
    edited_titles,
    near_duplicates,
    occurring,
    read_news,
    read_titles,
)
from cms_gate_similar_content.sketches import SHAPE as TEXTS
from cms_gate_similar_title.index import SHAPE as TITLES
from cms_gate_similar_title.index import sign
from cms_host.api import Enrolment, Host, Role, Shape, fold, sketch
from cms_host.post_index.minhash import band_keys
from cms_posts import store
from cms_posts.demo import make_posts
from cms_posts.outline import Outline

#: The default thresholds, at which recall is stated.
OF_TITLES, OF_TEXTS = 0.85, 0.80
_SAMPLE = 3_000
#: Titles that are compared with every other one, to know what there is to be found.
_LOOKED_AT = 1_000


class Recall(NamedTuple):
    """Of pairs that are too similar, how many share a band, so that they are compared at all."""

    found: int
    pairs: int

    @property
    def share(self) -> float:
        return self.found / self.pairs if self.pairs else 1.0


def title_recall(pairs: Iterable[tuple[str, str]]) -> Recall:
    """Of pairs of folded titles."""
    met = [_meet(sign(one), sign(other), TITLES) for one, other in pairs]
    return Recall(sum(met), len(met))


def text_recall(pairs: Iterable[tuple[str, str]]) -> Recall:
    """Of pairs of texts."""
    signed = ([sketch(text, TEXTS) for text in pair] for pair in pairs)
    met = [_meet(*(made and made.signature for made in pair), TEXTS) for pair in signed]
    return Recall(sum(met), len(met))


def _meet(one: bytes | None, other: bytes | None, shape: Shape) -> bool:
    return bool(one and other and not set(band_keys(one, shape)).isdisjoint(band_keys(other, shape)))


async def quality(folder: Path, data: Path | None) -> list[str]:
    """The report's parts.

    :param data: the folder of `articles_2500.*`, `turkish.txt` and `english.txt`; without it our own texts serve.
    """
    texts = list(read_news(data).texts.values()) if data else [each.text for each in islice(articles(seed=3), 300)]
    lines = [_recall_row("texts, edited to 0.80-0.86", text_recall(edited_texts(texts, OF_TEXTS, _SAMPLE)))]
    for language, own in (("Turkish", TURKISH), ("English", ENGLISH)):
        titles = read_titles(data / f"{language.lower()}.txt") if data else [fold(each) for each in own]
        lines.append(_recall_row(f"{language} titles, edited", title_recall(edited_titles(titles, OF_TITLES, _SAMPLE))))
    head = "| pairs above the default threshold | pairs | share a band | recall |\n| --- | ---: | ---: | ---: |\n"
    parts = ["## Pairs that the index brings together", head + "\n".join(lines)]
    if data:
        parts += ["## The rules over whole collections", await _collections(folder, data)]
    return parts


def _recall_row(name: str, recall: Recall) -> str:
    return f"| {name} | {recall.pairs} | {recall.found} | {recall.share:.4f} |"


async def _collections(folder: Path, data: Path) -> str:
    head = "| collection | near-duplicates | found | missed | falsely accused |\n| --- | ---: | ---: | ---: | ---: |\n"
    news = read_news(data)
    async with host_on(f"sqlite:///{folder}/news.sqlite3", folder) as host:
        accused = await _accused(host, news)
    exact = near_duplicates(news.texts, OF_TEXTS)
    rows = [_row("2,500 news texts, pairs of the collection's own list", news.known, accused & (news.known | exact))]
    rows.append(_row("2,500 news texts, pairs from 0.80 on by exact count", exact, accused))
    for language in ("turkish", "english"):
        titles = read_titles(data / f"{language}.txt")
        async with host_on(f"sqlite:///{folder}/{language}.sqlite3", folder) as host:
            wanted, found = await _similar_titles(host, titles)
        rows.append(
            _row(
                f"{_LOOKED_AT:,} of {len(titles):,} {language.title()} titles that have a near-duplicate", wanted, found
            )
        )
    return head + "\n".join(rows)


def _row(name: str, wanted: Set[object], found: Set[object]) -> str:
    return f"| {name} | {len(wanted)} | {len(found & wanted)} | {len(wanted - found)} | {len(found - wanted)} |"


async def _accused(host: Host, news: News) -> set[frozenset[str]]:
    """The pairs that the rule names when each text is checked against all others."""
    names = list(news.texts)
    await _store(host, list(news.texts.values()))
    asked = rule(host, "similar_content")
    pairs: set[frozenset[str]] = set()
    for post_id, name in enumerate(names, 1):
        for finding in await findings(asked, host.db, post_id=post_id, text=news.texts[name]):
            pairs |= {frozenset((name, names[other - 1])) for other in finding.related_ids}
    return pairs


async def _store(host: Host, texts: Sequence[str]) -> None:
    """Posts with these texts, with the ids 1, 2, ..., and all that follows them."""
    async with host.unit().write() as unit:
        await unit.get(Enrolment).enrol("author", "author@example.org", Role.AUTHOR, "bench")
    made = make_posts(len(texts), await store.first_author(host.db) or 0, host.clock.now())
    posts = [
        (each.post._replace(status="published", content=""), Outline(text, (), (), ()))
        for each, text in zip(made, texts, strict=True)
    ]
    async with host.db.transaction() as tx:
        await store.add_many(tx, posts)
        for observer in host.post_observers:
            await observer.saved_many([published(post.id, f"{post.id}", outline.text) for post, outline in posts], tx)


async def _similar_titles(host: Host, titles: Sequence[str]) -> tuple[set[str], set[str]]:
    """Of a sample of titles those that have a near-duplicate, and those that the rule refuses."""
    async with host.db.transaction() as tx:
        for observer in host.post_observers:
            await observer.saved_many([published(number, title, "") for number, title in enumerate(titles, 1)], tx)
    asked, ids = rule(host, "similar_title"), {title: number for number, title in enumerate(titles, 1)}
    sample = list(occurring(titles, OF_TITLES, _LOOKED_AT))
    refused = {
        title
        for title, _ in sample
        if await findings(asked, host.db, post_id=ids[title], title=title, folded_title=title)
    }
    return {title for title, others in sample if others}, refused
