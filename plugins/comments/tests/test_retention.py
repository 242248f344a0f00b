"""The job `comments.empty-trash`, and the setting `comments.trash_days`."""

import pytest

from cms_comments import retention
from cms_host.testing import Client, Site

from .conftest import SQLITE_ALONE, commented, ids, posted

JOB = "comments.empty-trash"
EVERY = "?status=pending,approved,spam,trash&per_page=100"
DAY = 86_400


@pytest.mark.shows("others.comments.retention")
async def test_old_trash_and_spam_is_deleted_for_good_and_nothing_else(site: Site, editor: Client) -> None:
    post_id = await posted(editor)
    for status in ("pending", "approved", "spam", "trash"):
        await commented(editor, post_id, status=status)
    # A reply to what goes, and what was in the trash once.
    await commented(editor, post_id, parent_id=4)
    await commented(editor, post_id, status="spam")
    await editor.patch("/comments/6", json={"status": "approved"})
    site.clock.advance(5 * DAY)
    await commented(editor, post_id, status="trash")
    site.clock.advance(5 * DAY - 1)
    await site.set(**{"comments.trash_days": 10})

    assert await site.run_job(JOB)
    assert len(await ids(editor, EVERY)) == 7
    site.clock.advance(3600)
    assert await site.run_job(JOB)
    assert await ids(editor, EVERY) == [7, 6, 5, 2, 1]
    assert (await editor.get("/comments/5")).data["parent_id"] is None


@SQLITE_ALONE
@pytest.mark.shows("others.comments.retention")
async def test_what_is_discarded_is_kept_by_default(site: Site, editor: Client) -> None:
    await commented(editor, await posted(editor), status="trash")
    site.clock.advance(4000 * DAY)
    assert await site.run_job(JOB)

    assert await ids(editor, EVERY) == [1]


@SQLITE_ALONE
async def test_more_than_one_batch_is_deleted_in_one_run(site: Site, editor: Client) -> None:
    post_id = await posted(editor)
    for _ in range(retention.BATCH + 2):
        await commented(editor, post_id, status="spam")
    await site.set(**{"comments.trash_days": 1})
    site.clock.advance(2 * DAY)
    assert await site.run_job(JOB)

    assert await ids(editor, EVERY) == []
