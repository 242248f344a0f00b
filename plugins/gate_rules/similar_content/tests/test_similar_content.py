"""Which texts are too similar, and which posts a text is compared with."""

import random
from collections.abc import Sequence

import pytest

from cms_gate_similar_content.rule import THRESHOLD
from cms_host.api import InvalidSetting
from cms_host.testing import Site
from cms_posts.testing import article, created, publish, refusal

WORDS = tuple(f"{'bcdfgklmnprst'[each % 13]}{'aeiou'[each % 5]}{each}" for each in range(400))
LATER, SOONER = "2026-02-02 12:00:00", "2026-02-01 12:00:00"


def words(seed: int, count: int = 300) -> list[str]:
    """Words without order, the same for the same seed."""
    return random.Random(seed).choices(WORDS, k=count)  # noqa: S311 - nothing here is a secret.


def html(text: Sequence[str]) -> str:
    return f"<h2>{' '.join(text[:4])}</h2><p>{' '.join(text[4:])}</p>"


def edited(text: Sequence[str], places: int) -> list[str]:
    """The text with so many of its words replaced, far from each other: each is in five shingles."""
    changed = list(text)
    for place in range(places):
        changed[5 + 10 * place] = f"new{place}"
    return changed


@pytest.mark.shows("gate.similar_content")
@pytest.mark.parametrize(("places", "measured"), [(0, 1.0), (3, 0.9035), (6, 0.8160), (7, None), (20, None)])
async def test_refuses_a_text_of_which_another_post_has_four_fifths(
    site: Site, places: int, measured: float | None
) -> None:
    editor = await site.client("editor")
    text = words(1)
    assert refusal(await publish(editor, content=html(text))) == []

    report = (await editor.post("/posts/check", json=article(content=html(edited(text, places))))).data
    details = [block["detail"] for block in report["blocks"]]
    expected = {"measured": measured, "required": 0.8, "related_ids": [1], "field": "content"}
    assert details == ([expected] if measured else [])


async def test_says_how_similar_and_to_which_post(site: Site) -> None:
    editor = await site.client("editor")
    await publish(editor, content=html(words(1)))

    (block,) = (await publish(editor, content=html(edited(words(1), 3)))).json["blocks"]
    assert block["message_tr"] == "İçerik, 1 numaralı yazıyla %90 aynı; sınır %80."
    assert block["message_en"] == "The content is 90 % the same as that of post 1; the limit is 80 %."


async def test_markup_case_and_punctuation_make_no_difference(site: Site) -> None:
    editor = await site.client("editor")
    text = words(2)
    await publish(editor, content=html(text))

    assert refusal(await publish(editor, content=f"<blockquote>{', '.join(text).upper()}!</blockquote>")) == [
        "similar_content"
    ]


async def test_moved_paragraphs_are_the_same_text_and_shuffled_words_are_not(site: Site) -> None:
    editor = await site.client("editor")
    text = words(3)
    await publish(editor, content=html(text))

    assert refusal(await publish(editor, content=html(text[150:] + text[:150]))) == ["similar_content"]
    assert refusal(await publish(editor, content=html(sorted(text)))) == []


@pytest.mark.shows("gate.similar_content")
async def test_the_threshold_decides(site: Site) -> None:
    editor = await site.client("editor")
    text = words(4)
    await publish(editor, content=html(text))
    await site.set(**{THRESHOLD.key: 0.95})
    assert refusal(await publish(editor, content=html(edited(text, 3)))) == []
    assert refusal(await publish(editor, content=html(edited(text, 1)))) == ["similar_content"]

    await site.set(**{THRESHOLD.key: 1.0})
    assert refusal(await publish(editor, content=html(edited(text, 1)))) == []
    assert refusal(await publish(editor, content=html(text))) == ["similar_content"]


@pytest.mark.parametrize("value", [0.749, 1.001, "0.8", True])
def test_the_threshold_has_bounds(value: object) -> None:
    with pytest.raises(InvalidSetting):
        THRESHOLD.parse(value)
    assert [THRESHOLD.parse(each) for each in (0.75, 1)] == [0.75, 1.0]


async def test_texts_of_fewer_than_five_words_are_not_compared(site: Site) -> None:
    editor = await site.client("editor")

    for _ in range(2):
        assert refusal(await publish(editor, content="<p>Watch the video, please.</p>")) == []
    assert refusal(await publish(editor, content="<p>Watch the video now, please.</p>")) == []
    assert refusal(await publish(editor, content="<p>Watch the video now: please!</p>")) == ["similar_content"]


@pytest.mark.shows("gate.similar.itself")
async def test_a_post_is_never_compared_with_itself(site: Site) -> None:
    editor = await site.client("editor")
    await publish(editor, content=html(words(5)))

    assert refusal(await editor.patch("/posts/1", json={"content": html(edited(words(5), 2))})) == []
    assert refusal(await editor.post("/posts/1/publish")) == []


async def test_only_what_is_published_or_scheduled_is_compared(site: Site) -> None:
    editor = await site.client("editor")
    text = html(words(6))
    await created(editor, content=text)
    await created(editor, content=text, status="pending")
    assert refusal(await publish(editor, content=text)) == []

    await editor.delete("/posts/3", json={"force": True})
    assert refusal(await publish(editor, content=text)) == []
    await editor.patch("/posts/4", json={"status": "draft"})
    await created(editor, content=text, scheduled_at=LATER)
    assert refusal(await publish(editor, content=text)) == ["similar_content"]


@pytest.mark.shows("gate.similar.due")
async def test_of_two_that_are_scheduled_the_one_due_first_is_published(site: Site) -> None:
    editor = await site.client("editor")
    await created(editor, content=html(words(7)), scheduled_at=LATER)
    await created(editor, content=html(words(7)), scheduled_at=SOONER)

    assert refusal(await editor.post("/posts/1/publish")) == ["similar_content"]
    assert refusal(await editor.post("/posts/2/publish")) == []


async def test_an_edit_moves_a_post_to_its_new_text(site: Site) -> None:
    editor = await site.client("editor")
    await publish(editor, content=html(words(8)))
    await editor.patch("/posts/1", json={"content": html(words(9))})

    assert refusal(await publish(editor, content=html(words(9)))) == ["similar_content"]
    assert refusal(await publish(editor, content=html(words(8)))) == []


async def test_a_long_text_is_compared_by_a_worker(site: Site) -> None:
    editor = await site.client("editor")
    text = [f"{word}{number}" for number, word in enumerate(words(10, 9_000))]
    await publish(editor, content=html(text))

    assert refusal(await publish(editor, content=html(edited(text, 100)))) == ["similar_content"]
    assert refusal(await publish(editor, content=html(edited(text, 400)))) == []
