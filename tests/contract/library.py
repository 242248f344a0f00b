"""A site full of posts that tie in everything that a list can be ordered by, and a model of its lists."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cms_host.testing import Client, Site
from cms_posts.testing import created

Record = Mapping[str, Any]
STATUSES = ("published", "draft", "scheduled", "pending", "trash")
TYPES = ("post", "page")
#: Titles whose order depends on how letters are compared.
TITLES = ("Zonguldak by the sea", "apples and pears", "Apples and pears", "Çeşme in summer", "10 apples in a row")
#: Slugs of categories, each with its parent's.
CATEGORIES: Mapping[str, str | None] = {"harbour": None, "boats": "harbour", "markets": None}
TAGS = ("deniz", "marti")
SIZE = 45
HOUR = 3600


@dataclass(frozen=True)
class Library:
    """The clients of all roles, and every post as an administrator reads it, relations included."""

    clients: Mapping[str, Client]
    records: tuple[Record, ...]
    author_id: int

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Hypothesis shows what a failing example was given, which would be every record."""
        printer.text("the library")


async def fill(site: Site) -> Library:
    """Posts of three authors, several to the hour, in all states."""
    clients = {role: await site.client(role) for role in ("subscriber", "author", "editor", "admin")}
    authors = [clients["author"], await site.client("author", "another"), clients["editor"]]
    ids = await shelves(clients["editor"])
    for number in range(SIZE):
        client = authors[number % 3]
        kind = "page" if client is clients["editor"] and number % 2 else "post"
        await created(client, **_body(number), **_terms(number, ids), type=kind)
        # Now and then the clock is set back: whoever is made later need not be newer.
        if number % 4 == 0:
            site.clock.advance(3 * HOUR if number % 8 == 0 else -HOUR)
    # What is changed later than it was made.
    for number in range(1, SIZE, 8):
        assert (await clients["editor"].patch(f"/posts/{number}", json={"excerpt": "Changed"})).status == 200
    records = [await read(clients["admin"], number + 1) for number in range(SIZE)]
    own = next(each["author_id"] for each in records if each["author_name"] == "author")
    return Library(clients, tuple(records), own)


async def shelves(editor: Client) -> dict[str, int]:
    """Makes the categories; their ids by their slugs."""
    ids: dict[str, int] = {}
    for slug, parent in CATEGORIES.items():
        body = {"name": slug.title(), "parent_id": ids.get(parent or "")}
        answer = await editor.post("/categories", json=body)
        assert answer.data["slug"] == slug
        ids[slug] = answer.data["id"]
    return ids


async def read(client: Client, number: int) -> Record:
    """A post as lists show it with relations."""
    record = (await client.get(f"/posts/{number}", params={"with_relations": "1"})).data
    return {name: value for name, value in record.items() if name != "seo"}


def _body(number: int) -> dict[str, Any]:
    status = STATUSES[number % 7 % 5]
    title = TITLES[number % len(TITLES)]
    visibility = "private" if number % 5 == 1 else "password" if number % 14 == 7 else "public"
    return {
        "title": f"{title} {number}" if status in ("published", "scheduled") else title,
        "visibility": visibility,
        **({"password": "open sesame"} if visibility == "password" else {}),
        "is_featured": number % 3 == 1,
        **({"scheduled_at": "2026-12-31 09:00:00"} if status == "scheduled" else {"status": status}),
    }


def _terms(number: int, ids: Mapping[str, int]) -> dict[str, Any]:
    tags = {1: ["Deniz"], 2: ["Martı"], 3: ["Deniz", "Martı"]}.get(number % 6, [])
    return {"categories": [each for place, each in enumerate(ids.values(), 2) if number % place == 0], "tags": tags}


def seen_by(role: str, library: Library, asked: Mapping[str, str]) -> Callable[[Record], bool]:
    """Who sees what (contract 4). Nobody finds by a search what he may not read."""

    def sees(post: Record) -> bool:
        if is_privileged(role, library, post):
            return True
        guarded = post["visibility"] == "password" and "search" in asked
        return bool(post["status"] == "published" and post["visibility"] != "private" and not guarded)

    return sees


def is_privileged(role: str, library: Library, post: Record) -> bool:
    """Whether a caller of the role sees the post in every state, and its text without a password."""
    return role in ("editor", "admin") or (role == "author" and post["author_id"] == library.author_id)


def shown_to(role: str, library: Library, post: Record) -> Record:
    """The record as the caller sees it."""
    guarded = post["visibility"] == "password" and not is_privileged(role, library, post)
    return {**post, "content": "", "excerpt": ""} if guarded else post


def selects(asked: Mapping[str, str]) -> Callable[[Record], bool]:
    """Whether a list with these parameters holds a post (spec, GET /api/v1/posts; contract 3, 4 and 10)."""

    def among(name: str, *values: Any) -> bool:
        """Whether one of the values is one of those that were asked for."""
        return name not in asked or not {*asked[name].split(",")}.isdisjoint(map(str, values))

    def matches(post: Record) -> bool:
        slugs = [each["slug"] for each in post["categories"]]
        return all(
            (
                among("status", post["status"]) if "status" in asked else post["status"] != "trash",
                among("type", post["type"]),
                among("author_id", post["author_id"]),
                among("ids", post["id"]),
                among("slug", post["slug"]),
                among("category", *slugs, *(CATEGORIES[slug] for slug in slugs)),
                among("tag", *(each["slug"] for each in post["tags"])),
                post["is_featured"] or asked.get("featured") != "1",
                post["created_at"] >= asked.get("date_from", ""),
                post["created_at"] <= asked.get("date_to", "9"),
                post["updated_at"] < asked.get("updated_before", "9"),
                post["updated_at"] > asked.get("updated_after", ""),
                post["content_modified_at"] > _precise(asked.get("content_modified_after", "0000-01-01 00:00:00")),
                _found(asked.get("search", ""), post),
            )
        )

    return matches


def _precise(moment: str) -> str:
    """A moment to the second as `content_modified_at` shows it."""
    return f"{moment.replace(' ', 'T')}.000000+00:00"


def _found(search: str, post: Record) -> bool:
    """Every word is in title or text; what is shorter than three letters is somewhere in them."""
    text = re.sub(r"<[^>]*>", " ", f"{post['title']} {post['content']}").casefold().translate(_PLAIN)
    words = re.findall(r"\w+", text)
    return all(word in (words if len(word) > 2 else text) for word in search.casefold().translate(_PLAIN).split())


_PLAIN = str.maketrans("çşığöü", "csigou")


def position(order_by: str) -> Callable[[Record], tuple[bool, Any, int]]:
    """Where a post stands in ascending order: what has no value comes first, and ties are broken by id."""

    def key(post: Record) -> tuple[bool, Any, int]:
        value = post[order_by]
        return value is not None, "" if value is None else value, post["id"]

    return key
