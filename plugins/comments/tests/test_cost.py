"""What reading comments costs: few statements, each along an index, whatever the number of comments.

SQLite's planner knows no numbers here, as in an operator's store. PostgreSQL would rather read such a small table
whole: it is told to do so only where it must.
"""

import os
from collections.abc import Mapping

import pytest
from sqlalchemy import bindparam

from cms_comments.tables import comments
from cms_host.api import Query, insert
from cms_host.testing import Client, Ran, Site, plan

from .conftest import posted

SIZE = int(os.environ.get("CMS_TEST_COMMENTS", "300"))
#: What each list is read along.
INDEXES: Mapping[str, str] = {
    "": "ix_comments_created",
    "status=spam": "ix_comments_status",
    "status=approved": "ix_comments_status",
    "status=spam,trash": "ix_comments_created",
    "post_id=1": "ix_comments_post",
    "page=3": "ix_comments_created",
}
_ADD = Query(
    insert(comments).values(
        post_id=bindparam("post_id"), status=bindparam("status"), created_at=bindparam("at"), author_name="A",
        author_email="", author_ip="", content="<p>Well said.</p>",
    )
)  # fmt: skip


@pytest.fixture
async def filled(site: Site, editor: Client) -> Site:
    numbers = [await posted(editor, slug=name, status="draft") for name in ("a", "b", "c")]
    rows = (
        {"post_id": numbers[each % 3], "status": ("approved", "approved", "pending", "spam")[each % 4], "at": each}
        for each in range(SIZE)
    )
    async with site.host.db.transaction() as tx:
        await tx.execute_many(_ADD, rows)
    return site


async def test_lists_are_read_along_an_index_and_take_three_statements(
    filled: Site, ran: list[Ran], database_url: str
) -> None:
    for role in ("editor", "author", "subscriber"):
        client = await filled.client(role)
        for query, index in INDEXES.items():
            ran.clear()
            assert (await client.get(f"/comments?{query}")).status == 200
            # Who calls, how many there are, and those of the page, if there is one.
            assert len(ran) <= 3, (role, query)
            for each in ran[1:]:
                steps = plan(database_url, each)
                assert reads_along(steps), (role, query, steps)
            if role == "editor" and database_url.startswith("sqlite"):
                assert index in plan(database_url, ran[2]), query


async def test_one_comment_takes_two_statements(filled: Site, ran: list[Ran]) -> None:
    client = await filled.client("editor")
    ran.clear()
    assert (await client.get("/comments/7")).status == 200
    assert len(ran) == 2


def reads_along(steps: str) -> bool:
    """Whether no table is read whole, and nothing is sorted."""
    lines = steps.splitlines()
    whole = any(line in ("SCAN comments", "SCAN posts", "Seq Scan comments ", "Seq Scan posts ") for line in lines)
    return not whole and "TEMP B-TREE FOR ORDER" not in steps and "Sort" not in steps
