"""Every statement about views."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import orjson
from sqlalchemy import Integer, Table, Text, bindparam, cast, delete, func, select, true, tuple_
from sqlalchemy.dialects.postgresql import JSON

from cms_host.api import Id, Query, Reader, Transaction, insert
from cms_stats.tables import view_batches, view_days, view_hours, view_totals

#: Rows that one statement deletes at the most, so that writers never wait for long.
BATCH = 500


class Viewed(NamedTuple):
    """Views of one post, of one hour and day."""

    post_id: int
    hour: int
    day: int
    n: int


class DayViews(NamedTuple):
    """Views of all posts on one day."""

    day: int
    n: int


_views = bindparam("views", type_=Text)
_pairs = {
    "sqlite": func.json_each(_views).table_valued("key", "value"),
    "postgresql": func.json_each_text(cast(_views, JSON)).table_valued("key", "value"),
}


def _adding(kept: Table) -> Query[Any]:
    """Adds the views of many posts, all of one day or hour: one statement for any number of them."""
    statements = {}
    for dialect, pairs in _pairs.items():
        new = insert(kept).from_select(
            [each.key for each in kept.c],
            # SQLite takes ON CONFLICT for a join without a WHERE.
            select(bindparam("slot", type_=Integer), cast(pairs.c.key, Id), cast(pairs.c.value, Id)).where(true()),
        )
        statements[dialect] = new.on_conflict_do_update(
            index_elements=list(kept.primary_key.columns), set_={"n": kept.c.n + new.excluded.n}
        ).returning(kept.c.post_id)
    # What may be a thousand rows is written off the event loop.
    return Query(statements, scans=True)


def _forgetting(kept: Table) -> Query[Any]:
    old = select(*kept.primary_key.columns).where(kept.c[0] < bindparam("first")).limit(BATCH)
    return Query(delete(kept).where(tuple_(*kept.primary_key.columns).in_(old)))


_ADD_DAY, _ADD_HOUR = _adding(view_days), _adding(view_hours)
_new_total = insert(view_totals).values(day=bindparam("day"), n=bindparam("n"))
_ADD_TOTAL = Query(
    _new_total.on_conflict_do_update(index_elements=["day"], set_={"n": view_totals.c.n + _new_total.excluded.n})
)
_CLAIM = Query(
    insert(view_batches)
    .values(token=bindparam("token"), written_at=bindparam("now"))
    .on_conflict_do_nothing(index_elements=["token"])
)
_TOTALS = Query(select(*view_totals.c).order_by(view_totals.c.day), DayViews)
_FORGET_DAYS, _FORGET_HOURS = _forgetting(view_days), _forgetting(view_hours)
_expired = select(view_batches.c.token).where(view_batches.c.written_at < bindparam("first")).limit(BATCH)
_FORGET_BATCHES = Query(delete(view_batches).where(view_batches.c.token.in_(_expired)))


async def claim(tx: Transaction, token: str, now: int) -> bool:
    """Whether the batch of that token is not written yet; from then on it is, with this transaction."""
    return await tx.execute(_CLAIM, token=token, now=now) > 0


async def add(tx: Transaction, viewed: Sequence[Viewed]) -> None:
    """Count views by day, by hour and in all."""
    for day, views in _by(viewed, "day").items():
        await tx.all(_ADD_DAY, slot=day, views=_dump(views))
        await tx.send(_ADD_TOTAL, day=day, n=views.total())
    for hour, views in _by(viewed, "hour").items():
        await tx.all(_ADD_HOUR, slot=hour, views=_dump(views))


async def totals(db: Reader) -> list[DayViews]:
    """The views of every day that has any, oldest first: a row for each day of the site's life."""
    return await db.all(_TOTALS)


async def forget_days(tx: Transaction, first: int) -> int:
    """Delete some views of days before the first that is kept; says how many rows those were, at most `BATCH`."""
    return await tx.execute(_FORGET_DAYS, first=first)


async def forget_hours(tx: Transaction, first: int) -> int:
    """The same of hours."""
    return await tx.execute(_FORGET_HOURS, first=first)


async def forget_batches(tx: Transaction, first: int) -> int:
    """The same of the tokens of batches that were written before a moment."""
    return await tx.execute(_FORGET_BATCHES, first=first)


def _by(viewed: Sequence[Viewed], slot: str) -> Mapping[int, Counter[int]]:
    found: dict[int, Counter[int]] = {}
    for each in viewed:
        found.setdefault(getattr(each, slot), Counter())[each.post_id] += each.n
    return dict(sorted(found.items()))


def _dump(views: Mapping[int, int]) -> str:
    return orjson.dumps(dict(views), option=orjson.OPT_NON_STR_KEYS).decode()
