"""GET /search: what is asked of the sources, and what is made of their answers."""

from collections.abc import Mapping, Sequence

import pytest

from cms_host.api import Hit, Reader, Sought, Terms
from cms_host.testing import MakeSite, Site, assert_documented

from .conftest import SQLITE_ALONE, Shelf, found, put_up

pytestmark = SQLITE_ALONE


@pytest.mark.shows("others.search.q")
async def test_search_for_nothing_is_400(site: Site) -> None:
    client = await site.client("subscriber")
    for query in ("", "?q=", "?q=%20%09", "?type=post"):
        answer = await client.get(f"/search{query}")
        assert (answer.status, [each["field"] for each in answer.error["errors"]]) == (400, ["q"]), query


async def test_search_refuses_what_is_too_much_and_types_that_there_are_not(site: Site) -> None:
    client = await site.client("subscriber")
    many = " ".join(f"w{number}" for number in range(33))
    for params in ({"q": "x" * 301}, {"q": many}, {"q": "word", "type": "novel"}, {"q": "word", "page": "x"}):
        assert (await client.get("/search", params=params)).status == 422, params


async def test_sources_are_told_what_was_typed(site: Site) -> None:
    put_up(site, shelf := Shelf("novels", "novel", {1: 0.5}))
    client = await site.client("subscriber")
    for text in ("Old MAPS e-mail ab c++", "  harb ", "c++", "ab", "old old maps old"):
        assert (await client.get("/search", params={"q": text, "type": "novel"})).status == 200
    expected = [
        Sought(Terms(("old", "maps", "e-mail", "c++"), ("ab",)), "", "novel"),
        Sought(Terms(("harb",)), "harb", "novel"),
        Sought(Terms(("c++",)), "", "novel"),
        Sought(Terms((), ("ab",)), "", "novel"),
        Sought(Terms(("old", "maps")), "old", "novel"),
    ]
    assert shelf.asked == [each for sought in expected for each in ((sought, 20, 0), [1])]


async def test_best_of_all_sources_come_first_and_pages_never_overlap(site: Site) -> None:
    novels, films = Shelf("novels", "novel", {1: 0.9, 2: 0.5, 3: 0.5}), Shelf("films", "film", {1: 0.7, 2: 0.5})
    put_up(site, films, novels)
    client = await site.client("subscriber")
    whole = [("novel", 1), ("film", 1), ("film", 2), ("novel", 3), ("novel", 2)]
    assert await found(client) == whole
    for size in range(1, 6):
        pages = [await found(client, per_page=f"{size}", page=f"{page}") for page in range(1, 7)]
        assert [each for page in pages for each in page] == whole
    assert await found(client, type="novel") == [("novel", 1), ("novel", 3), ("novel", 2)]
    answer = await client.get("/search?q=word&per_page=2&page=2")
    told = {name: answer.data[name] for name in ("total", "pages", "current_page", "per_page")}
    assert told == {"total": 5, "pages": 3, "current_page": 2, "per_page": 2}
    await assert_documented(site, "GET", "/search", answer)


async def test_one_source_skips_by_itself_and_shows_only_the_page(site: Site) -> None:
    put_up(site, shelf := Shelf("novels", "novel", dict.fromkeys(range(1, 8), 0.5)))
    assert await found(await site.client("subscriber"), per_page="2", page="3") == [("novel", 3), ("novel", 2)]
    ((_, limit, offset), shown) = shelf.asked
    assert (limit, offset, shown) == (2, 4, [3, 2])


async def test_what_vanished_since_it_was_ranked_is_left_out(site: Site) -> None:
    class Leaking(Shelf):
        async def show(self, db: Reader, ids: Sequence[int]) -> Mapping[int, Hit]:
            return {each: hit for each, hit in (await super().show(db, ids)).items() if each != 2}

    put_up(site, Leaking("novels", "novel", {1: 0.5, 2: 0.5, 3: 0.5}))
    assert await found(await site.client("subscriber")) == [("novel", 3), ("novel", 1)]


async def test_site_without_sources_finds_nothing(make_site: MakeSite) -> None:
    client = await (await make_site(enabled=["users", "search"])).client("subscriber")
    answer = await client.get("/search?q=word&type=post")
    assert (answer.data["items"], answer.data["total"]) == ([], 0)
