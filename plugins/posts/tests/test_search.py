"""GET /posts?search=: words of title and text, folded (contract 4)."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cms_host.api import MOST_TERMS, parse_terms
from cms_host.testing import Client, Site
from cms_posts.testing import article, content, created, unlike


async def found(client: Client, search: str, **params: str) -> list[int]:
    """Ids in ascending order; the total agrees with them."""
    answer = await client.get("/posts", params={"search": search, "order_by": "id", "order_dir": "asc", **params})
    assert answer.status == 200, answer.text
    assert answer.data["total"] == len(answer.data["items"])
    return [item["id"] for item in answer.data["items"]]


async def written(client: Client, *texts: tuple[str, str]) -> Client:
    for title, said in texts:
        await created(client, title=title, content=f"<p>{said}</p>")
    return client


@pytest.fixture
async def shelf(site: Site) -> Client:
    return await written(
        await site.client("editor"),
        ("Iğdır'ın kayısısı", "Sarı ve tatlı: 100% yerel."),
        ("ISPARTA gülleri", "İlkbaharda açar; e-posta ile sipariş, a_b c."),
        ("Old maps of harbours", "Every <b>har</b>bour keeps a lamp AND a boat, C++ too."),
        ("Ships", "The old harbour has no maps? It has C# and “quotes”. 地図 ok"),
    )


WORDS = {
    "kayısısı": [1], "KAYISISI": [1], "kayisisi": [1], "ığdır": [1], "IGDIR": [1], "isparta GÜLLERİ": [2],
    "ilkbaharda": [2], "harbour": [3, 4], "harbours": [3], "old maps": [3, 4], "maps   old": [3, 4], "old lamp": [3],
    "old nothing": [], "har": [], "e-posta": [2], "posta-e": [], "e—posta": [2],
}  # fmt: skip
SHORT = {
    "c#": [4], "0%": [1], "%": [1], "_b": [2], "a_": [2], "\\": [], "ap": [3, 4], "ğd": [1], "GD": [1], "地図": [4],
    "ap lamp": [3], "“": [4], "++": [3], "???": [], "%%%": [],
}  # fmt: skip
OPERATORS = {
    "lamp AND boat": [3], "lamp OR nothing": [], "NOT lamp": [], "harb*": [], "lamp NEAR(boat)": [], "title:lamp": [],
    "-lamp": [3], "^old": [3, 4], '"old maps"': [3, 4], "lamp & boat": [], "!lamp": [3], "lamp | zzz": [],
    "(old": [3, 4], "old:*": [3, 4], "'lamp": [3], "lamp;--": [3], "lamp<->boat": [], "{title}: lamp": [],
    'a\'b"c': [2],
}  # fmt: skip


async def test_search_finds_whole_words_of_title_and_text(shelf: Client) -> None:
    assert {search: await found(shelf, search) for search in WORDS} == WORDS


async def test_search_finds_short_terms_and_signs_anywhere(shelf: Client) -> None:
    assert {search: await found(shelf, search) for search in SHORT} == SHORT


async def test_search_takes_operators_for_the_characters_that_they_are(shelf: Client) -> None:
    assert {search: await found(shelf, search) for search in OPERATORS} == OPERATORS


async def test_search_for_nothing_leaves_everything(shelf: Client) -> None:
    for search in ("", "   ", "\t\n"):
        assert await found(shelf, search) == [1, 2, 3, 4]


async def test_search_goes_with_filters_orders_and_pages(shelf: Client) -> None:
    await shelf.patch("/posts/3", json={"status": "pending", "tags": ["Sea"]})
    assert await found(shelf, "old", status="draft") == [4]
    assert await found(shelf, "old", status="draft,pending") == [3, 4]
    assert await found(shelf, "old", tag="sea") == [3]
    assert await found(shelf, "old", ids="4") == [4]
    data = (await shelf.get("/posts?search=old&per_page=1&page=2&order_by=title")).data
    assert ([item["id"] for item in data["items"]], data["total"], data["pages"]) == ([3], 2, 2)
    data = (await shelf.get("/posts?search=old&per_page=1&page=9")).data
    assert (data["items"], data["total"]) == ([], 2)
    data = (await shelf.get("/posts?search=old&per_page=1&order_by=id&before_id=4")).data
    assert ([item["id"] for item in data["items"]], data["total"]) == ([3], 2)
    data = (await shelf.get("/posts?search=old&with_total=0")).data
    assert (len(data["items"]), "total" in data) == (2, False)


async def test_search_follows_every_change(shelf: Client) -> None:
    await shelf.patch("/posts/4", json={"title": "Kayıklar"})
    assert (await found(shelf, "ships"), await found(shelf, "kayiklar quotes")) == ([], [4])
    await shelf.patch("/posts/4", json={"content": "<p>Empty quays</p>"})
    assert (await found(shelf, "quotes"), await found(shelf, "kayiklar quays")) == ([], [4])
    await shelf.delete("/posts/4")
    assert (await found(shelf, "quays"), await found(shelf, "quays", status="trash")) == ([], [4])
    await shelf.delete("/posts/4", json={"force": True})
    assert (await found(shelf, "quays", status="trash"), await found(shelf, "old")) == ([], [3])


async def test_search_knows_nothing_of_a_refused_write(site: Site) -> None:
    client = await site.client("editor")
    await created(client, title="A walk along the quays", status="published")
    answer = await client.patch("/posts/1", json={"title": "Short", "content": "<p>Nothing left of it</p>"})
    assert answer.status == 422
    assert (await found(client, "nothing"), await found(client, "quays tide")) == ([], [1])


async def test_search_shows_nobody_what_is_not_theirs(site: Site) -> None:
    author, other = await site.client("author"), await site.client("author", "other")
    guarded: dict[str, Any] = {"status": "published", "visibility": "password", "password": "sesame"}
    states: Sequence[dict[str, Any]] = (
        {},
        {"status": "published", "visibility": "private"},
        guarded,
        {"status": "published"},
    )
    for number, state in enumerate(states):
        text = content(str(number)).replace("tide", "secret")
        await created(author, title=f"{unlike(number)}: secrets", content=text, **state)
    for client, expected in (
        (author, [1, 2, 3, 4]),
        (other, [4]),
        (await site.client("subscriber"), [4]),
        (await site.client("editor"), [1, 2, 3, 4]),
    ):
        for search in ("secret", "cr", "secret cr"):
            assert await found(client, search) == expected


async def test_words_of_the_title_and_of_the_text_are_no_phrase(site: Site) -> None:
    client = await written(await site.client("editor"), ("Big blue", "sky above"))
    assert await found(client, "blue sky") == [1]
    assert await found(client, "blue-sky") == []
    assert await found(client, "sky-above") == [1]


@pytest.mark.parametrize("search", ["x" * 301, " ".join(f"w{number}" for number in range(MOST_TERMS + 1))])
async def test_search_refuses_what_is_too_long(site: Site, search: str) -> None:
    answer = await (await site.client("editor")).get("/posts", params={"search": search})
    assert answer.status == 422
    assert [each["field"] for each in answer.error["errors"]] == ["search"]


async def test_search_takes_the_longest_that_there_may_be(site: Site) -> None:
    client = await written(await site.client("editor"), ("Long", "long"))
    for search in ("x" * 300, "𝔘" * 300, " ".join(f"w{number}" for number in range(MOST_TERMS)), "a " * 150):
        assert (await client.get("/posts", params={"search": search})).status == 200


async def test_a_text_of_nothing_but_different_words_is_indexed(site: Site) -> None:
    """PostgreSQL's tsvector has room for a megabyte only."""
    client = await site.client("editor")
    content = " ".join(f"{number:x}" for number in range(85_000))
    answer = await client.post("/posts", json=article(content=f"<p>{content}</p>"))
    assert answer.status == 201, answer.text
    assert await found(client, "14bff") == []
    assert await found(client, "7530") == [1]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(search=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40))
async def test_any_search_is_answered(shelf: Client, search: str) -> None:
    assert (await shelf.get("/posts", params={"search": search})).status == 200


def test_terms_are_told_apart_by_what_they_are() -> None:
    terms = parse_terms("Old MAPS e-mail ab old c++ --- ı")
    assert terms.words == ("old", "maps", "e-mail", "c++")
    assert terms.letters == ("ab", "---", "i")
