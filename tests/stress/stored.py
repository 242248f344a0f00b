"""The posts of a database, read behind the service's back."""

import hashlib
from collections import defaultdict
from typing import Any

from sqlalchemy import Connection, Row, Select, select

from cms_host.migrate import sync_engine
from cms_posts.tables import category_links, posts, revisions, seo, tag_links
from cms_tags.tables import tags
from tests.stress.ledger import State


def stored_states(url: str) -> dict[int, State]:
    """Every post, with what is stored beside it."""
    with sync_engine(url).connect() as connection:
        return _states(connection)


def _states(connection: Connection) -> dict[int, State]:
    tagged = _grouped(
        connection,
        select(tag_links.c.post_id, tags.c.name).select_from(tag_links.join(tags, tags.c.id == tag_links.c.tag_id)),
    )
    filed = _grouped(
        connection, select(category_links.c.post_id, category_links.c.category_id).where(category_links.c.direct)
    )
    former = _grouped(connection, select(revisions.c.post_id, revisions.c.title).order_by(revisions.c.id))
    sent = _grouped(connection, select(seo.c.post_id, seo.c.sent))
    return {
        row.id: _state(row, sent[row.id], tagged[row.id], filed[row.id], former[row.id])
        for row in connection.execute(select(posts))
    }


def _state(row: Row[Any], sent: list[Any], tagged: list[str], filed: list[int], former: list[str]) -> State:
    return State(
        status=row.status,
        title=row.title,
        digest=hashlib.sha256(row.content.encode()).hexdigest(),
        noted=row.original_notes or "",
        meta_title=sent[0].get("meta_title", "") if sent else "",
        tags=frozenset(tagged),
        categories=frozenset(filed),
        revisions=tuple(former),
        stamped=row.published_at is not None,
    )


def _grouped(connection: Connection, pairs: Select[Any]) -> defaultdict[int, list[Any]]:
    found: defaultdict[int, list[Any]] = defaultdict(list)
    for post_id, value in connection.execute(pairs):
        found[post_id].append(value)
    return found
