"""An item as the command line shows it."""

from typing import Any

from cms_content_queue.item import Listed
from cms_host.api import local

COLUMNS = (
    "id", "status", "title", "source", "format", "author", "date", "draft", "created_at", "decided_at", "post_id",
)  # fmt: skip


def item_row(item: Listed, zone: str) -> list[Any]:
    """Cells under `COLUMNS`. :param zone: the site's, for dates and times."""
    date, created_at, decided_at = (
        None if moment is None else local(moment, zone) for moment in (item.dated_at, item.created_at, item.decided_at)
    )
    return [
        item.id, item.status, item.title, item.source, item.format, item.author or None, date, item.is_draft,
        created_at, decided_at, item.post_id,
    ]  # fmt: skip
