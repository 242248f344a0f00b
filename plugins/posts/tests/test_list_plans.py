"""Every filter and every order of the list is served by an index: the databases' plans, over the posts of `demo`.

SQLite's planner knows no numbers here, as in an operator's store, and plans alike for every size. PostgreSQL's has
looked at the tables, and would rather read and sort such small ones whole: it is told to do so only where it must. With
`make stress` the store is large, and its plans are those that it chooses by itself.
"""

import os
from collections.abc import Mapping

import pytest

from cms_host.testing import ALONG_INDEXES, Client, MakeSite, Ran, Site, plan
from cms_posts.filling import fill
from cms_posts.listing import ORDERS
from cms_posts.schedule_store import ANY_DUE, OLDEST_DUE
from cms_posts.testing import LIKENESS

SIZE = int(os.environ.get("CMS_TEST_POSTS", "600"))
#: A store of this size is planned for as one of any other.
LARGE = 100_000
PLANNED = "" if SIZE >= LARGE else ALONG_INDEXES
#: What each list is read along, by the name of the index on SQLite; "posts" is the table in the order of ids.
IN_ORDER: Mapping[str, str] = {
    "": "ix_posts_untrashed",
    "order_by=id": "SCAN posts",
    "order_by=updated_at": "ix_posts_updated",
    "order_by=published_at": "ix_posts_published",
    "order_by=title": "ix_posts_title",
    "order_by=view_count": "ix_posts_views",
    "order_by=status": "ix_posts_status_id",
    "status=draft": "ix_posts_status",
    "status=draft&order_by=id": "ix_posts_status_id",
    "type=page": "ix_posts_type",
    "author_id=1": "ix_posts_author",
    "featured=1": "ix_posts_featured",
    "date_from=2026-01-01": "ix_posts_untrashed (created_at>?)",
    "date_to=2025-01-01": "ix_posts_untrashed (created_at<?)",
    "category=gezi": "ix_post_categories_untrashed",
    "category=gezi&status=published": "ix_post_categories_status",
    "tag=bakers-1": "ix_post_tags_untrashed",
    "order_by=id&before_id=300": "posts USING INTEGER PRIMARY KEY (rowid<?)",
    "order_by=id&after_id=300": "posts USING INTEGER PRIMARY KEY (rowid>?)",
}
#: What a few rows are found by, which are then put in order.
SORTED: Mapping[str, str] = {
    "updated_before=2024-03-01": "ix_posts_updated",
    "updated_after=2026-01-14": "ix_posts_updated",
    "content_modified_after=2026-01-14": "ix_posts_modified",
    "ids=5,6,7": "posts USING INTEGER PRIMARY KEY (rowid=?)",
    "slug=none": "post_slugs",
    "search=bakeke": "post_search VIRTUAL TABLE INDEX",
    "search=bakeke ak": "post_search VIRTUAL TABLE INDEX",
    "search=bakeke&category=gezi": "post_search VIRTUAL TABLE INDEX",
    "tag=bakers-3,bakers-2": "sqlite_autoindex_post_tags_1",
    "category=mektuplar&tag=bakers-3": "ix_post_categories",
}
#: A filter with an order that its index has not. PostgreSQL may find it cheaper to read a large category whole.
OTHER_ORDER: Mapping[str, str] = {
    "category=mektuplar&order_by=title": "ix_post_categories",
    "author_id=2&order_by=title": "ix_posts_author",
}


@pytest.fixture
async def site(make_site: MakeSite) -> Site:
    """Without the rules whose indexes take longer to fill than all that is looked at here."""
    return await make_site(disabled=LIKENESS)


@pytest.fixture
async def filled(site: Site) -> Site:
    await site.client("author")
    async for _ in fill(site.host, SIZE, 1):
        pass
    return site


async def plan_of(client: Client, query: str, ran: list[Ran], url: str) -> str:
    """How the page of a list is found."""
    ran.clear()
    answer = await client.get(f"/posts?{query}")
    assert answer.status == 200, answer.text
    # The first one looks the key up; a third counts where the page is empty.
    return plan(url, ran[1], PLANNED)


def reads_a_table(steps: str) -> bool:
    """Whether all posts are looked at, or all that are under something, in no order."""
    big = ("posts", "post_categories", "post_tags", "post_search", "post_slugs")
    lines = steps.splitlines()
    return any(line in (f"SCAN {table}", f"Seq Scan {table} ") for table in big for line in lines)


async def test_lists_in_the_order_of_an_index_sort_nothing(filled: Site, ran: list[Ran], database_url: str) -> None:
    client = await filled.client("editor")
    for query, index in IN_ORDER.items():
        for direction in ("asc", "desc"):
            steps = await plan_of(client, f"{query}&order_dir={direction}", ran, database_url)
            assert "TEMP B-TREE" not in steps, (query, steps)
            assert "Sort" not in steps, (query, steps)
            if database_url.startswith("sqlite"):
                assert index in steps, (query, steps)
            else:
                assert not reads_a_table(steps), (query, steps)


async def test_lists_by_other_filters_sort_what_an_index_found(filled: Site, ran: list[Ran], database_url: str) -> None:
    client = await filled.client("editor")
    chooses = SIZE >= LARGE and database_url.startswith("postgresql")
    for query, index in (SORTED if chooses else {**SORTED, **OTHER_ORDER}).items():
        steps = await plan_of(client, query, ran, database_url)
        assert not reads_a_table(steps), (query, steps)
        if database_url.startswith("sqlite"):
            assert index in steps, (query, steps)


async def test_far_pages_skip_ids_and_no_records(filled: Site, ran: list[Ran], database_url: str) -> None:
    client = await filled.client("editor")
    for query in ("page=20", "page=20&order_by=title", "category=gezi&page=8", "status=published&page=20"):
        steps = await plan_of(client, query, ran, database_url)
        assert not reads_a_table(steps), (query, steps)
        if database_url.startswith("sqlite"):
            inner, _, outer = steps.partition("SCAN chosen")
            assert "TEMP B-TREE" not in inner, (query, steps)
            assert "SEARCH posts USING INTEGER PRIMARY KEY" in outer


async def test_lists_of_every_viewer_are_read_along_an_index(filled: Site, ran: list[Ran], database_url: str) -> None:
    for role in ("author", "subscriber"):
        client = await filled.client(role)
        for order in ORDERS:
            steps = await plan_of(client, f"order_by={order}", ran, database_url)
            assert order == "id" or not reads_a_table(steps), (role, order, steps)
            if order != "author_name":
                assert "TEMP B-TREE" not in steps, (role, order, steps)
                assert "Sort" not in steps, (role, order, steps)
        for query in ("category=gezi", "tag=bakers-1", "type=page", "date_from=2026-01-14", "ids=1,2", "search=bakeke"):
            steps = await plan_of(client, query, ran, database_url)
            assert not reads_a_table(steps), (role, query, steps)


async def test_names_of_authors_order_the_posts_of_one_after_the_other(
    filled: Site, ran: list[Ran], database_url: str
) -> None:
    steps = await plan_of(await filled.client("editor"), "order_by=author_name", ran, database_url)
    if database_url.startswith("sqlite"):
        assert "ix_users_name" in steps
        assert "SEARCH posts USING COVERING INDEX ix_posts_author" in steps
        assert "RIGHT PART OF ORDER BY" in steps
    else:
        # Of few posts, walking all of them in the order of ids is as good.
        assert SIZE < LARGE or "posts ix_posts_author_id" in steps
        assert not reads_a_table(steps)


async def test_due_posts_are_found_along_the_index_of_what_is_scheduled(filled: Site, database_url: str) -> None:
    dialect = filled.host.db.dialect
    for query in (ANY_DUE, OLDEST_DUE):
        compiled = query.compiled(dialect)
        steps = plan(database_url, Ran(compiled.sql, compiled.arguments({"now": filled.clock.now()})), PLANNED)
        assert "ix_posts_due" in steps
        assert "TEMP B-TREE" not in steps
        assert "Sort" not in steps
