"""Whatever is asked for: pages never overlap, and together they are the whole, in order (contract 3)."""

from collections.abc import Mapping

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cms_host.testing import Client, Site

from .library import SIZE, STATUSES, TYPES, Library, Record, fill, position, seen_by, selects

ORDERS = ("id", "created_at", "updated_at", "published_at", "title", "view_count", "status", "author_name")
#: From the hour of the first post on, to the minute.
MOMENTS = st.integers(0, 719).map(lambda minute: f"2026-01-15 {12 + minute // 60:02}:{minute % 60:02}:00")
FILTERS: Mapping[str, st.SearchStrategy[str]] = {
    "status": st.sampled_from(STATUSES),
    "type": st.sampled_from(TYPES),
    "author_id": st.integers(0, 7).map(str),
    "featured": st.sampled_from(("0", "1")),
    "date_from": MOMENTS,
    "date_to": MOMENTS,
    "updated_before": MOMENTS,
}


@pytest.fixture
async def library(site: Site) -> Library:
    return await fill(site)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    role=st.sampled_from(("subscriber", "author", "editor", "admin")),
    filters=st.fixed_dictionaries({}, optional=FILTERS),
    order_by=st.sampled_from(ORDERS),
    order_dir=st.sampled_from(("asc", "desc")),
    per_page=st.integers(1, SIZE + 1),
)
@pytest.mark.shows("list.order_by.ties")
async def test_pages_never_overlap_and_together_are_the_whole(
    library: Library, role: str, filters: dict[str, str], order_by: str, order_dir: str, per_page: int
) -> None:
    asked = {**filters, "order_by": order_by, "order_dir": order_dir, "per_page": str(per_page)}
    sees, matches = seen_by(role, library), selects(asked)
    expected = sorted(filter(sees, filter(matches, library.records)), key=position(order_by))
    if order_dir == "desc":
        expected.reverse()

    assert await walked(library.clients[role], asked, len(expected), per_page) == expected


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


async def test_the_library_ties_in_every_order(library: Library) -> None:
    """Without ties the law above would say little."""
    for order_by in set(ORDERS) - {"id"}:
        values = [position(order_by)(post)[:2] for post in library.records]
        assert len(set(values)) < len(values), order_by
