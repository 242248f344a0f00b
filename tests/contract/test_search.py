"""Looking for posts by words (spec, GET /api/v1/posts: search; contract 3 and 4)."""

import pytest

from cms_host.testing import Client
from cms_posts.testing import CONTENT, created


async def ids(client: Client, text: str, **parameters: str) -> list[int]:
    answer = await client.get("/posts", params={"search": text, **parameters})
    assert answer.status == 200, answer.text
    found = [item["id"] for item in answer.data["items"]]
    assert answer.data["total"] == len(found)
    return sorted(found)


async def fill(client: Client, *contents: str) -> None:
    for number, content in enumerate(contents):
        await created(client, title=f"Number {number}", content=f"<p>{content}</p>")


@pytest.mark.shows("list.search")
async def test_words_are_found_in_title_and_content(editor: Client) -> None:
    await created(editor, title="A harbour", content="<p>Boats.</p>")
    await created(editor, title="Boats", content="<p>A market.</p>")
    await created(editor, title="Other", content='<p title="boats">Words <b>about</b> markets.</p>')

    assert await ids(editor, "boats") == [1, 2]
    assert await ids(editor, "harbour boats") == [1]
    assert await ids(editor, "market harbour") == []
    assert await ids(editor, "pelican") == []
    assert await ids(editor, "boats", status="published") == []
    assert await ids(editor, "boats", per_page="5", order_by="title") == [1, 2]


@pytest.mark.shows("list.search", "posts.gone.search", "state.delete.gone")
async def test_a_search_sees_the_last_state_of_each_post(editor: Client, subscriber: Client) -> None:
    await created(editor, title="The first title", status="published")
    assert await ids(subscriber, "first") == [1]
    await editor.patch("/posts/1", json={"title": "The second title"})
    assert (await ids(editor, "first"), await ids(subscriber, "second")) == ([], [1])
    for leave in ({"status": "draft"}, {"status": "trash"}, {"status": "published", "visibility": "private"}):
        assert (await editor.patch("/posts/1", json=leave)).status == 200
        assert await ids(subscriber, "second") == []
    await editor.patch("/posts/1", json={"visibility": "public"})
    assert await ids(subscriber, "second") == [1]
    await editor.delete("/posts/1", json={"force": True})
    assert await ids(editor, "second") == []


@pytest.mark.shows("list.search.short")
async def test_short_words_are_found_and_wildcards_mean_themselves(editor: Client) -> None:
    await fill(editor, "Go is a language", "100% of it", "a_b", "axb", "C and more", "ab cd ef")

    assert await ids(editor, "Go") == [1]
    assert 5 in await ids(editor, "C")
    assert await ids(editor, "a_") == [3]
    assert await ids(editor, "0%") == [2]
    assert await ids(editor, "%") == [2]
    assert await ids(editor, "cd ef") == [6]


FOLDED = "İstanbul'da IŞIK ve ılık çay, ﬁne Ｗide  café"


@pytest.mark.shows(
    "values.fold.i",
    "values.fold.case",
    "values.fold.accents",
    "values.fold.width",
    "values.fold.space",
    "list.search.folded",
)
async def test_spellings_of_a_word_are_one(editor: Client) -> None:
    await fill(editor, FOLDED, "Nothing of it")

    for text in (
        "ISTANBUL",
        "ıstanbul",
        "ISIK",
        "işık",
        "ILIK",
        "ilik",
        "cay,",
        "fine",
        "wide",
        "ｃａｆé",
        "  ve   ilik  ",
    ):
        assert await ids(editor, text) == [1]


@pytest.mark.shows("list.search.literal")
async def test_operators_are_text(editor: Client) -> None:
    await fill(editor, "The tide comes in", "title and more")
    for text in (
        '"', '""', '"tide', "tide*", "title:tide", "(tide", "tide)", "-tide", "^tide", "tide & | !", "'; --",
        "NEAR(tide market)", "tide\\", ":*", "{a}", "a:b:c", "tide AND", "NOT tide",
    ):  # fmt: skip
        found = await ids(editor, text)
        assert found in ([], [1], [1, 2]), text
        # As a word of its own, `not` or `and` is looked for like any other.
        assert not (text in ("NOT tide", "tide AND", "title:tide") and found), text


@pytest.mark.shows("list.search.literal")
async def test_words_that_are_operators_elsewhere_are_found(editor: Client) -> None:
    await fill(editor, "To be or not to be", "Nothing near and dear", "Tide and time")

    assert await ids(editor, "OR NOT") == [1]
    assert await ids(editor, "NEAR AND dear") == [2]
    assert await ids(editor, "AND") == [2, 3]


@pytest.mark.shows("role.sees.password", "list.search")
async def test_a_search_does_not_tell_what_a_password_hides(author: Client, subscriber: Client) -> None:
    words = CONTENT.replace("The boats", "The pelicans")
    await created(author, status="published", visibility="password", password="open sesame", content=words)

    assert [(await each.get("/posts?search=pelicans")).data["total"] for each in (author, subscriber)] == [1, 0]


@pytest.mark.shows("role.sees.password")
async def test_a_list_does_not_tell_what_a_password_hides(author: Client, editor: Client, subscriber: Client) -> None:
    await created(author, status="published", visibility="password", password="open sesame", excerpt="By hand")
    for sent in ({}, {"X-Post-Password": "wrong"}):
        (item,) = (await subscriber.get("/posts", headers=sent)).data["items"]
        assert (item["content"], item["excerpt"], item["title"]) == ("", "", "A walk along the harbour")
    for client in (author, editor):
        (item,) = (await client.get("/posts")).data["items"]
        assert (item["content"], item["excerpt"]) == (CONTENT, "By hand")
