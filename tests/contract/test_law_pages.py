"""Whatever is asked for: pages never overlap, and together they are the whole, in order (contract 3 and 10)."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cms_host.testing import Client, MakeSite, Site
from cms_posts.testing import LIKENESS

from .library import (
    CATEGORIES,
    SIZE,
    STATUSES,
    TAGS,
    TYPES,
    Library,
    Record,
    fill,
    position,
    seen_by,
    selects,
    shown_to,
)

ORDERS = ("id", "created_at", "updated_at", "published_at", "title", "view_count", "status", "author_name")
ROLES = st.sampled_from(("subscriber", "author", "editor", "admin"))
SLUGS = ("apples-and-pears", "zonguldak-by-the-sea-5", "10-apples-in-a-row-2", "nothing")
SEARCHES = ("apples", "Apples PEARS", "çeşme", "cesme summer", "market tide", "boats", "10 row", "nothing", "a w")


@pytest.fixture
async def site(make_site: MakeSite) -> Site:
    """A site on which posts may be alike, so that lists have ties to break."""
    return await make_site(disabled=LIKENESS)


def several(*values: Any) -> st.SearchStrategy[str]:
    """Some of them, parted by commas."""
    return st.lists(st.sampled_from(values), min_size=1, max_size=3).map(lambda chosen: ",".join(map(str, chosen)))


#: From the hour of the first post on, to the half hour.
MOMENTS = st.integers(0, 23).map(lambda half: f"2026-01-15 {12 + half // 2:02}:{half % 2 * 30:02}:00")
FILTERS: Mapping[str, st.SearchStrategy[str]] = {
    "status": several(*STATUSES),
    "type": st.sampled_from(TYPES),
    "author_id": st.integers(0, 7).map(str),
    "category": several(*CATEGORIES, "nothing"),
    "tag": several(*TAGS, "nothing"),
    "ids": several(*range(SIZE + 2)),
    "slug": st.sampled_from(SLUGS),
    "search": st.sampled_from(SEARCHES),
    "featured": st.sampled_from(("0", "1")),
    "date_from": MOMENTS,
    "date_to": MOMENTS,
    "updated_before": MOMENTS,
    "updated_after": MOMENTS,
    "content_modified_after": MOMENTS,
}
#: Each of them by itself is tried with these, whatever chance makes of the others.
VALUES: Mapping[str, Sequence[str]] = {
    "status": (*STATUSES, "draft,trash"),
    "type": TYPES,
    "author_id": ("1", "2", "3", "4", "99"),
    "category": (*CATEGORIES, "boats,markets", "nothing"),
    "tag": (*TAGS, ",".join(TAGS), "nothing"),
    "ids": ("1", "7,8,9,99"),
    "slug": SLUGS,
    "search": SEARCHES,
    "featured": ("0", "1"),
    **dict.fromkeys(
        ("date_from", "date_to", "updated_before", "updated_after", "content_modified_after"),
        ("2026-01-15 12:00:00", "2026-01-15 15:30:00", "2026-01-15 18:00:00"),
    ),
}
#: Three at most, for with more of them hardly a post is left.
ASKED = st.lists(st.sampled_from(sorted(FILTERS)), max_size=3, unique=True).flatmap(
    lambda names: st.fixed_dictionaries({name: FILTERS[name] for name in names})
)
law = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
async def library(site: Site) -> Library:
    return await fill(site)


def expected(library: Library, role: str, asked: Mapping[str, str]) -> list[Record]:
    """The list as a whole, in the order that was asked for."""
    sees, matches = seen_by(role, library, asked), selects(asked)
    found = sorted(filter(sees, filter(matches, library.records)), key=position(asked["order_by"]))
    return [shown_to(role, library, post) for post in (found if asked["order_dir"] == "asc" else found[::-1])]


@law
@given(
    role=ROLES,
    filters=ASKED,
    order_by=st.sampled_from(ORDERS),
    order_dir=st.sampled_from(("asc", "desc")),
    per_page=st.integers(1, SIZE + 1),
)
@pytest.mark.shows("list.order_by.ties")
async def test_pages_never_overlap_and_together_are_the_whole(
    library: Library, role: str, filters: dict[str, str], order_by: str, order_dir: str, per_page: int
) -> None:
    asked = {**filters, "order_by": order_by, "order_dir": order_dir, "per_page": str(per_page), "with_relations": "1"}
    whole = expected(library, role, asked)

    assert await walked(library.clients[role], asked, len(whole), per_page) == whole


@pytest.mark.shows(
    "list.status", "list.type", "list.author_id", "list.category", "list.category.children", "list.tag", "list.ids",
    "list.slug", "list.search", "list.featured", "list.date_from", "list.date_to", "list.updated_before",
    "list.updated_after", "list.content_modified_after", "list.several",
)  # fmt: skip
async def test_every_filter_leaves_what_it_says_to_every_caller(library: Library) -> None:
    assert VALUES.keys() == FILTERS.keys()
    for role, client in library.clients.items():
        for name, values in VALUES.items():
            for value in values:
                asked = {name: value, "order_by": "id", "order_dir": "asc", "per_page": "100", "with_relations": "1"}
                whole = expected(library, role, asked)
                assert await walked(client, asked, len(whole), 100) == whole, f"{role}: {name}={value}"


async def walked(client: Client, asked: Mapping[str, str], total: int, per_page: int) -> list[Record]:
    """The records of all pages one after the other, each page with true numbers."""
    pages, found = -(-total // per_page), []
    for page in range(1, pages + 2):
        data = (await client.get("/posts", params={**asked, "page": str(page)})).data
        told = {name: data[name] for name in ("total", "pages", "current_page", "per_page")}
        assert told == {"total": total, "pages": pages, "current_page": page, "per_page": per_page}
        assert len(data["items"]) == max(0, min(per_page, total - (page - 1) * per_page))
        found += data["items"]
    return found


@law
@given(role=ROLES, filters=ASKED, cursor=st.sampled_from(("after_id", "before_id")), per_page=st.integers(1, SIZE))
@pytest.mark.shows("list.after_id", "list.before_id")
async def test_a_keyset_walk_meets_every_post_once(
    library: Library, role: str, filters: dict[str, str], cursor: str, per_page: int
) -> None:
    order_dir = "asc" if cursor == "after_id" else "desc"
    asked = {**filters, "order_by": "id", "order_dir": order_dir, "per_page": str(per_page), "with_relations": "1"}
    whole, client = expected(library, role, asked), library.clients[role]
    found: list[Record] = []
    while True:
        last = found[-1]["id"] if found else 0 if cursor == "after_id" else SIZE + 1
        data = (await client.get("/posts", params={**asked, cursor: str(last)})).data
        assert (data["total"], "current_page" in data) == (len(whole), False)
        if not data["items"]:
            break
        found += data["items"]

    assert found == whole


@law
@given(
    role=ROLES,
    filters=ASKED,
    fields=st.lists(st.sampled_from(("id", "title", "content", "excerpt", "status", "editorial")), min_size=1),
    with_total=st.sampled_from(("0", "1")),
)
@pytest.mark.shows("list.fields", "list.with_total")
async def test_a_list_of_some_fields_is_the_list_without_the_others(
    library: Library, role: str, filters: dict[str, str], fields: Sequence[str], with_total: str
) -> None:
    asked = {**filters, "order_by": "created_at", "order_dir": "desc", "per_page": "100"}
    whole, sent = expected(library, role, asked), {**asked, "fields": ",".join(fields), "with_total": with_total}
    data = (await library.clients[role].get("/posts", params=sent)).data

    assert data["items"] == [{name: post[name] for name in post if name in fields} for post in whole]
    assert [data.get(name) for name in ("total", "pages")] == (
        [None, None] if with_total == "0" else [len(whole), min(len(whole), 1)]
    )


async def test_the_library_ties_in_every_order(library: Library) -> None:
    """Without ties the laws above would say little."""
    for order_by in set(ORDERS) - {"id"}:
        values = [position(order_by)(post)[:2] for post in library.records]
        assert len(set(values)) < len(values), order_by
