"""A site full of posts that tie in everything that a list can be ordered by, and a model of its lists."""

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
SIZE = 45
HOUR = 3600


@dataclass(frozen=True)
class Library:
    """The clients of all roles, and every post as an administrator reads it."""

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
    for number in range(SIZE):
        client = authors[number % 3]
        kind = "page" if client is clients["editor"] and number % 2 else "post"
        await created(client, **_body(number), type=kind)
        if number % 4 == 0:
            site.clock.advance(HOUR)
    records = [(await clients["admin"].get(f"/posts/{number + 1}")).data for number in range(SIZE)]
    own = next(each["author_id"] for each in records if each["author_name"] == "author")
    return Library(clients, tuple(records), own)


def _body(number: int) -> dict[str, Any]:
    status = STATUSES[number % 7 % 5]
    title = TITLES[number % len(TITLES)]
    return {
        "title": f"{title} {number}" if status in ("published", "scheduled") else title,
        "visibility": "private" if number % 5 == 1 else "public",
        "is_featured": number % 3 == 1,
        **({"scheduled_at": "2026-12-31 09:00:00"} if status == "scheduled" else {"status": status}),
    }


def seen_by(role: str, library: Library) -> Callable[[Record], bool]:
    """Who sees what (contract 4)."""

    def sees(post: Record) -> bool:
        if role in ("editor", "admin") or (role == "author" and post["author_id"] == library.author_id):
            return True
        return bool(post["status"] == "published" and post["visibility"] != "private")

    return sees


def selects(asked: Mapping[str, str]) -> Callable[[Record], bool]:
    """Whether a list with these parameters holds a post (spec, GET /api/v1/posts; contract 3 and 4)."""

    def matches(post: Record) -> bool:
        return all(
            (
                post["status"] == asked["status"] if "status" in asked else post["status"] != "trash",
                post["type"] == asked.get("type", post["type"]),
                str(post["author_id"]) == asked.get("author_id", str(post["author_id"])),
                post["is_featured"] or asked.get("featured") != "1",
                post["created_at"] >= asked.get("date_from", ""),
                post["created_at"] <= asked.get("date_to", "9"),
                post["updated_at"] < asked.get("updated_before", "9"),
            )
        )

    return matches


def position(order_by: str) -> Callable[[Record], tuple[bool, Any, int]]:
    """Where a post stands in ascending order: what has no value comes first, and ties are broken by id."""

    def key(post: Record) -> tuple[bool, Any, int]:
        value = post[order_by]
        return value is not None, "" if value is None else value, post["id"]

    return key
