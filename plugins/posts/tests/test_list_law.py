"""Whatever filters meet: the list is what a reader of all records would pick out, and its total is their number."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cms_host.testing import Client, MakeSite, Site
from cms_posts.testing import LIKENESS, created

Record = Mapping[str, Any]
SIZE = 36
STATUSES = ("published", "draft", "pending", "trash", "scheduled")
VISIBILITIES = ("public", "public", "private", "password")
#: Parents by slug; posts are filed under these three.
PARENTS = {"world": None, "europe": "world", "food": None}
TAGS = ("sea", "sun", "rain")
WORDS = ("harbour", "lamp", "kayık", "river")


@dataclass(frozen=True)
class Shelf:
    """Clients by role, and every record with its relations."""

    clients: Mapping[str, Client]
    records: tuple[Record, ...]
    author_id: int

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text("the shelf")


@pytest.fixture
async def site(make_site: MakeSite) -> Site:
    """A site on which posts may be alike, so that lists have ties to break."""
    return await make_site(disabled=LIKENESS)


@pytest.fixture
async def shelf(site: Site) -> Shelf:
    clients = {role: await site.client(role) for role in ("subscriber", "author", "editor")}
    ids: dict[str | None, int | None] = {None: None}
    for slug, parent in PARENTS.items():
        answer = await clients["editor"].post("/categories", json={"name": slug, "parent_id": ids[parent]})
        ids[slug] = answer.data["id"]
    await site.set(**{f"gate.{rule}.minimum": 0 for rule in ("short_title", "short_content")})
    for number in range(SIZE):
        await created(clients["author" if number % 3 else "editor"], **_body(number, ids))
        site.clock.advance(60)
    site.clock.advance(3600)
    for number in range(1, SIZE, 7):
        await clients["editor"].patch(f"/posts/{number}", json={"excerpt": "Changed"})
        site.clock.advance(60)
    wanted = {"with_relations": "1"}
    records = [(await clients["editor"].get(f"/posts/{number}", params=wanted)).data for number in range(1, SIZE + 1)]
    return Shelf(clients, tuple(records), records[1]["author_id"])


def _body(number: int, ids: Mapping[str | None, int | None]) -> dict[str, Any]:
    status, visibility = STATUSES[number % 5], VISIBILITIES[number // 5 % 4]
    return {
        "title": f"{WORDS[number % 4]} {number // 2}",
        "content": f"<p>{WORDS[number // 3 % 4]} and {WORDS[number // 7 % 4]}</p>",
        "categories": [ids[slug] for at, slug in enumerate(PARENTS) if number >> at & 1],
        "tags": [tag for at, tag in enumerate(TAGS) if number >> at + 1 & 1],
        "is_featured": number % 4 == 1,
        "visibility": visibility,
        **({"password": "sesame"} if visibility == "password" else {}),
        **({"scheduled_at": "2026-12-31 09:00:00"} if status == "scheduled" else {"status": status}),
    }


def several(*values: Any) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from([*map(str, values)]), min_size=1, max_size=3).map(",".join)


MOMENTS = st.integers(0, 110).map(lambda minute: f"2026-01-15 {12 + minute // 60}:{minute % 60:02}:00")
FILTERS = {
    "status": several(*STATUSES),
    "type": st.sampled_from(("post", "page")),
    "category": several(*PARENTS, "nothing"),
    "tag": several(*TAGS, "nothing"),
    "author_id": st.sampled_from(("2", "3", "9")),
    "search": several(*WORDS, "ar", "la", "nothing").map(lambda text: text.replace(",", " ")),
    "slug": st.integers(0, SIZE // 2).map(lambda number: f"harbour-{number}"),
    "ids": several(*range(1, SIZE + 4)),
    "featured": st.sampled_from(("0", "1")),
    **dict.fromkeys(("date_from", "date_to", "updated_before", "updated_after", "content_modified_after"), MOMENTS),
}
#: How a parameter picks, by the record and the parameter's value.
PICKS: Mapping[str, Callable[[Record, str], bool]] = {
    "status": lambda post, value: post["status"] in value.split(","),
    "type": lambda post, value: post["type"] == value,
    "category": lambda post, value: not _shelves(post).isdisjoint(value.split(",")),
    "tag": lambda post, value: not {tag["slug"] for tag in post["tags"]}.isdisjoint(value.split(",")),
    "author_id": lambda post, value: str(post["author_id"]) == value,
    "search": lambda post, value: all(_says(post, term) for term in value.split()),
    "slug": lambda post, value: post["slug"] == value,
    "ids": lambda post, value: str(post["id"]) in value.split(","),
    "featured": lambda post, value: value == "0" or post["is_featured"],
    "date_from": lambda post, value: post["created_at"] >= value,
    "date_to": lambda post, value: post["created_at"] <= value,
    "updated_before": lambda post, value: post["updated_at"] < value,
    "updated_after": lambda post, value: post["updated_at"] > value,
    "content_modified_after": lambda post, value: post["content_modified_at"][:19].replace("T", " ") > value,
}


def _shelves(post: Record) -> set[str]:
    own = {category["slug"] for category in post["categories"]}
    return own | {parent for slug in own if (parent := PARENTS[slug])}


def _says(post: Record, term: str) -> bool:
    text = f"{post['title']} {post['content']}".replace("<p>", "").replace("</p>", "")
    return term in text if len(term) < 3 else term in text.split()


def _may_find(post: Record, role: str, author_id: int, asked: Mapping[str, str]) -> bool:
    """Contract 4; what a password guards is not found by its words."""
    if role == "editor" or (role == "author" and post["author_id"] == author_id):
        return True
    kept = ("private", "password") if "search" in asked else ("private",)
    return post["status"] == "published" and post["visibility"] not in kept


def expected(shelf: Shelf, role: str, asked: Mapping[str, str]) -> list[int]:
    return [
        post["id"]
        for post in shelf.records
        if _may_find(post, role, shelf.author_id, asked)
        and ("status" in asked or post["status"] != "trash")
        and all(PICKS[name](post, value) for name, value in asked.items())
    ]


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    role=st.sampled_from(("subscriber", "author", "editor")),
    asked=st.lists(st.sampled_from(list(FILTERS)), max_size=3, unique=True).flatmap(
        lambda names: st.fixed_dictionaries({name: FILTERS[name] for name in names})
    ),
    order_by=st.sampled_from(("id", "created_at", "title", "updated_at", "author_name")),
    page=st.integers(1, 3),
)
async def test_the_list_is_what_its_filters_pick(
    shelf: Shelf, role: str, asked: dict[str, str], order_by: str, page: int
) -> None:
    paging = {"order_by": order_by, "per_page": "12", "page": str(page)}
    wanted = expected(shelf, role, asked)
    whole = (await shelf.clients[role].get("/posts", params={**asked, "order_by": order_by, "per_page": "100"})).data
    part = (await shelf.clients[role].get("/posts", params={**asked, **paging})).data

    assert sorted(item["id"] for item in whole["items"]) == wanted
    assert part["items"] == whole["items"][12 * (page - 1) : 12 * page]
    assert (whole["total"], part["total"]) == (len(wanted), len(wanted))
