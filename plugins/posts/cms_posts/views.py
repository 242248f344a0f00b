"""The counters of views that each post has."""

from collections.abc import Collection, Mapping
from typing import Any

import orjson
from sqlalchemy import Text, bindparam, cast, func, select, update
from sqlalchemy.dialects.postgresql import JSON

from cms_host.api import Id, Query, UnitOfWork, one_of
from cms_posts.tables import posts

_KNOWN = Query(
    {dialect: select(posts.c.id).where(condition) for dialect, condition in one_of(posts.c.id, "ids").items()}
)
#: In the order of the ids, so that nobody who holds several posts waits for us while we wait for him.
_HOLD = Query(
    {
        dialect: select(posts.c.id).where(condition).order_by(posts.c.id).with_for_update(key_share=True)
        for dialect, condition in one_of(posts.c.id, "ids").items()
    }
)
_views = bindparam("views", type_=Text)
_pairs = {
    "sqlite": func.json_each(_views).table_valued("key", "value"),
    "postgresql": func.json_each_text(cast(_views, JSON)).table_valued("key", "value"),
}


def _adding(pairs: Any) -> Any:
    return (
        update(posts)
        .where(posts.c.id == cast(pairs.c.key, Id))
        .values(view_count=posts.c.view_count + cast(pairs.c.value, Id), updated_at=bindparam("now"))
        .returning(posts.c.id)
    )


#: What may be a thousand posts is written off the event loop.
_ADD = Query({dialect: _adding(pairs) for dialect, pairs in _pairs.items()}, scans=True)


class PostViews:
    """Provides `ViewCounters` for stats. A view moves `updated_at`, and no other date (spec, Timestamp rule 4)."""

    def __init__(self, unit: UnitOfWork) -> None:
        self._unit = unit

    async def known(self, post_ids: Collection[int]) -> Collection[int]:
        return [post_id for (post_id,) in await self._unit.db.all(_KNOWN, ids=post_ids)]

    async def add(self, views: Mapping[int, int]) -> Collection[int]:
        tx = self._unit.tx
        if tx.dialect == "postgresql":
            await tx.all(_HOLD, ids=views)
        values = orjson.dumps(dict(views), option=orjson.OPT_NON_STR_KEYS).decode()
        return [post_id for (post_id,) in await tx.all(_ADD, views=values, now=self._unit.host.clock.now())]
