"""Which titles are too similar, and which posts a title is compared with."""

import pytest

from cms_gate_similar_title.rule import THRESHOLD
from cms_host.api import InvalidSetting
from cms_host.testing import Site
from cms_posts.testing import article, created, publish, refusal

TITLE = "Ten walks along the old harbour"
#: Titles, and how much of them is that one.
SIMILAR = {
    "Ten walks along the cold harbour": 0.9841,
    "TEN WALKS along the öld harbour!": 0.9841,
    "10 walks along the old harbour": 0.9180,
    "Walks along the old harbour": 0.9310,
    "Ten walks along that new harbour": 0.8571,
}
OTHERS = ("Ten walks along the railway", "A day at the market", "Harbour old the along walks ten")
LATER, SOONER = "2026-02-02 12:00:00", "2026-02-01 12:00:00"


@pytest.mark.shows("gate.similar_title")
async def test_refuses_a_title_that_is_nearly_that_of_another_post(site: Site) -> None:
    editor = await site.client("editor")
    assert refusal(await publish(editor, title=TITLE)) == []

    for title, measured in SIMILAR.items():
        (block,) = (await editor.post("/posts/check", json=article(title=title))).data["blocks"]
        assert block["code"] == "similar_title"
        assert block["detail"] == {"measured": measured, "required": 0.85, "related_ids": [1], "field": "title"}
        assert refusal(await publish(editor, title=title)) == ["similar_title"]
    assert [refusal(await publish(editor, title=title)) for title in OTHERS] == [[]] * 3


async def test_says_how_similar_and_to_which_post(site: Site) -> None:
    editor = await site.client("editor")
    await publish(editor, title=TITLE)

    (block,) = (await publish(editor, title="Walks along the old harbour")).json["blocks"]
    assert block["message_tr"] == "Başlık, 1 numaralı yazının başlığına %93 benziyor; sınır %85."
    assert block["message_en"] == "The title is 93 % the same as that of post 1; the limit is 85 %."


async def test_the_most_similar_post_is_told_first(site: Site) -> None:
    editor = await site.client("editor")
    await publish(editor, title="Nine strolls along the old harbour")
    await publish(editor, title=TITLE)

    (block,) = (await editor.post("/posts/check", json=article(title="Ten strolls along the old harbour"))).data[
        "blocks"
    ]
    assert block["detail"]["related_ids"] == [1, 2]


async def test_the_same_title_is_left_to_the_rule_for_that(site: Site) -> None:
    editor = await site.client("editor")
    await publish(editor, title=TITLE)

    assert refusal(await publish(editor, title=TITLE.upper())) == ["duplicate_title"]


@pytest.mark.shows("gate.similar_title")
async def test_the_threshold_decides(site: Site) -> None:
    editor = await site.client("editor")
    await publish(editor, title=TITLE)
    await site.set(**{THRESHOLD.key: 0.92})
    assert refusal(await publish(editor, title="10 walks along the old harbour")) == []
    assert refusal(await publish(editor, title="Walks along the old harbour")) == ["similar_title"]

    await site.set(**{THRESHOLD.key: 1.0})
    assert refusal(await publish(editor, title="Ten walks along the cold harbour")) == []


@pytest.mark.shows("gate.similar.bounds")
@pytest.mark.parametrize("value", [0.749, 1.001, "0.8", True])
def test_the_threshold_has_bounds(value: object) -> None:
    with pytest.raises(InvalidSetting):
        THRESHOLD.parse(value)
    assert [THRESHOLD.parse(each) for each in (0.75, 1)] == [0.75, 1.0]


async def test_titles_of_two_characters_are_not_compared(site: Site) -> None:
    await site.set(**{"gate.short_title.minimum": 0, THRESHOLD.key: 0.75})
    editor = await site.client("editor")

    assert [refusal(await publish(editor, title=title)) for title in ("ab", "abc", "abcd")] == [
        [],
        [],
        ["similar_title"],
    ]


@pytest.mark.shows("gate.similar.itself")
async def test_a_post_is_never_compared_with_itself(site: Site) -> None:
    editor = await site.client("editor")
    await publish(editor, title=TITLE)

    assert refusal(await editor.patch("/posts/1", json={"title": "Ten walks along the cold harbour"})) == []
    assert refusal(await editor.post("/posts/1/publish")) == []


async def test_only_what_is_published_or_scheduled_is_compared(site: Site) -> None:
    editor = await site.client("editor")
    similar = list(SIMILAR)
    await created(editor, title=similar[0])
    await created(editor, title=similar[1], status="pending")
    assert refusal(await publish(editor, title=TITLE)) == []

    await editor.patch("/posts/3", json={"status": "draft"})
    assert refusal(await publish(editor, title=similar[2])) == []
    await editor.delete("/posts/4")
    await created(editor, title=similar[3], scheduled_at=LATER)
    assert refusal(await publish(editor, title=TITLE)) == ["similar_title"]


@pytest.mark.shows("gate.similar.due")
async def test_of_two_that_are_scheduled_the_one_due_first_is_published(site: Site) -> None:
    editor = await site.client("editor")
    await created(editor, title=TITLE, scheduled_at=LATER)
    await created(editor, title="Ten walks along the cold harbour", scheduled_at=SOONER)

    assert refusal(await editor.post("/posts/1/publish")) == ["similar_title"]
    assert refusal(await editor.post("/posts/2/publish")) == []


async def test_an_edit_moves_a_post_to_its_new_title(site: Site) -> None:
    editor = await site.client("editor")
    await publish(editor, title=TITLE)
    await editor.patch("/posts/1", json={"title": "A winter among beekeepers"})

    assert refusal(await publish(editor, title="A winter among the beekeepers")) == ["similar_title"]
    assert refusal(await publish(editor, title="Ten walks along the cold harbour")) == []
