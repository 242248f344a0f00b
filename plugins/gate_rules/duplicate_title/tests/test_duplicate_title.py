"""Which titles count as one, and which posts a title is compared with."""

import asyncio

import pytest

from cms_host.testing import Site
from cms_posts.testing import article, created, publish, refusal

TITLE = "İğne oyası ve ışıklı köprüler"
#: Other ways to write it, each made of another thing that folding takes away.
SAME = (
    "IĞNE OYASI VE IŞIKLI KÖPRÜLER",
    "igne oyasi ve isikli kopruler",
    "  İğne   oyası\u00a0ve ışıklı köprüler ",
    "Ｉğne oyası ve ışıklı köprüler",
    "I\u0307g\u0306ne oyası ve ışıklı köprüler",
)
OTHERS = ("İğne oyası ve ışıklı köprüler 2", "İğne oyası ve ışıklı köprü", "İğne oyası, ışıklı köprüler")
LATER, SOONER = "2026-02-02 12:00:00", "2026-02-01 12:00:00"


@pytest.mark.shows("gate.duplicate_title")
async def test_refuses_a_title_that_folds_to_that_of_a_published_post(site: Site) -> None:
    editor = await site.client("editor")
    assert refusal(await publish(editor, title=TITLE)) == []

    assert [refusal(await publish(editor, title=title)) for title in (TITLE, *SAME)] == [["duplicate_title"]] * 6
    assert [refusal(await publish(editor, title=title)) for title in OTHERS] == [[]] * 3


async def test_says_what_was_measured_and_which_posts_it_is_about(site: Site) -> None:
    editor = await site.client("editor")
    await publish(editor, title=TITLE)

    report = (await editor.post("/posts/check", json=article(title=SAME[1]))).data
    (block,) = report["blocks"]
    assert block["message_tr"] == "Aynı başlık 1 numaralı yazıda var."
    assert block["message_en"] == "Post 1 has the same title."
    assert block["detail"] == {"measured": SAME[1], "required": None, "related_ids": [1], "field": "title"}


@pytest.mark.shows("gate.similar.itself")
async def test_a_post_is_never_compared_with_itself(site: Site) -> None:
    editor = await site.client("editor")
    await publish(editor, title=TITLE)

    for body in ({"excerpt": "Another"}, {"title": SAME[0]}, {"content": "<p>Other words.</p>" * 200}):
        assert refusal(await editor.patch("/posts/1", json=body)) == []
    assert refusal(await editor.post("/posts/1/publish")) == []
    assert (await editor.post("/posts/1/check")).data["passes"]


async def test_what_is_neither_published_nor_scheduled_is_not_compared(site: Site) -> None:
    editor = await site.client("editor")
    for status in ("draft", "pending", "trash"):
        await created(editor, title=TITLE, status=status)

    assert refusal(await publish(editor, title=TITLE)) == []


@pytest.mark.shows("gate.duplicate_title")
async def test_a_scheduled_post_keeps_its_title_from_others(site: Site) -> None:
    editor = await site.client("editor")
    await created(editor, title=TITLE, scheduled_at=LATER)

    assert refusal(await publish(editor, title=TITLE)) == ["duplicate_title"]


@pytest.mark.shows("gate.similar.due")
async def test_of_two_that_are_scheduled_the_one_due_first_is_published(site: Site) -> None:
    editor = await site.client("editor")
    await created(editor, title=TITLE, scheduled_at=LATER)
    await created(editor, title=TITLE, scheduled_at=SOONER)

    assert refusal(await editor.post("/posts/1/publish")) == ["duplicate_title"]
    assert refusal(await editor.post("/posts/2/publish")) == []
    assert refusal(await editor.post("/posts/1/publish")) == ["duplicate_title"]


async def test_of_two_that_are_due_at_once_the_older_one_is_published(site: Site) -> None:
    editor = await site.client("editor")
    await created(editor, title=TITLE, scheduled_at=LATER)
    await created(editor, title=TITLE, scheduled_at=LATER)

    assert refusal(await editor.post("/posts/2/publish")) == ["duplicate_title"]
    assert refusal(await editor.post("/posts/1/publish")) == []


async def test_a_post_that_is_due_at_another_time_is_compared_by_that(site: Site) -> None:
    editor = await site.client("editor")
    await created(editor, title=TITLE, scheduled_at=SOONER)
    await created(editor, title=TITLE, scheduled_at=LATER)
    await editor.post("/posts/1/schedule", json={"scheduled_at": "2026-03-01 12:00:00"})

    assert refusal(await editor.post("/posts/1/publish")) == ["duplicate_title"]
    assert refusal(await editor.post("/posts/2/publish")) == []


async def test_a_title_is_free_again_once_its_post_is_renamed(site: Site) -> None:
    editor = await site.client("editor")
    await publish(editor, title=TITLE)
    await editor.patch("/posts/1", json={"title": "Something else to read"})

    assert refusal(await publish(editor, title="something ELSE to read")) == ["duplicate_title"]
    assert refusal(await publish(editor, title=TITLE)) == []


@pytest.mark.parametrize("leave", ["draft", "pending", "trash", "force"])
async def test_a_title_is_free_again_once_its_post_is_no_longer_listed(site: Site, leave: str) -> None:
    editor = await site.client("editor")
    await publish(editor, title=TITLE)
    if leave == "force":
        await editor.delete("/posts/1", json={"force": True})
    else:
        await editor.patch("/posts/1", json={"status": leave})

    assert refusal(await publish(editor, title=TITLE)) == []


@pytest.mark.shows("gate.similar.race")
async def test_of_requests_that_publish_one_title_at_once_exactly_one_wins(site: Site) -> None:
    editor = await site.client("editor")

    answers = await asyncio.gather(*(publish(editor, title=title) for title in (TITLE, *SAME)))
    assert sorted(refusal(answer) for answer in answers) == [[]] + [["duplicate_title"]] * 5


async def test_a_title_of_the_greatest_length_is_compared_whole(site: Site) -> None:
    editor = await site.client("editor")
    longest = "ﷺ" * 498

    assert refusal(await publish(editor, title=longest + "a")) == []
    assert refusal(await publish(editor, title=longest + "b")) == []
    assert refusal(await publish(editor, title=longest + "A")) == ["duplicate_title"]
