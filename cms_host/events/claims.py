"""The statements by which processes share the lanes."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Select, and_, bindparam, exists, or_, select, tuple_, update

from cms_host.db import Id, Instant, Query, Reader, Transaction, one_of
from cms_host.events.outbox import ARRIVALS, Lane, is_pending
from cms_host.events.tables import deliveries, is_new, lanes

_now: Any = bindparam("now", type_=Instant)
_has_due = exists().where(
    deliveries.c.sink == lanes.c.sink, deliveries.c.target == lanes.c.target, is_pending, deliveries.c.due_at <= _now
)
_has_work = or_(_has_due, and_(lanes.c.sink == ARRIVALS.sink, exists().where(is_new)))
_loaded = one_of(lanes.c.sink, "sinks")


def _free(*, is_failing: bool) -> dict[str, Select[Any]]:
    """Lanes to claim: of those whose last attempt failed, or of the others, the longest left alone first."""
    of_kind = lanes.c.failing_since.is_not(None) if is_failing else lanes.c.failing_since.is_(None)
    return {
        dialect: select(lanes.c.sink, lanes.c.target)
        .where(is_loaded, of_kind, lanes.c.until <= _now, lanes.c.paused_at.is_(None), _has_work)
        .order_by(lanes.c.until)
        .limit(bindparam("most", type_=Id))
        for dialect, is_loaded in _loaded.items()
    }


def _claim(*, is_failing: bool) -> Query[Lane]:
    return Query(
        {
            dialect: update(lanes)
            .where(tuple_(lanes.c.sink, lanes.c.target).in_(free.with_for_update(of=lanes, skip_locked=True)))
            .values(token=bindparam("mine"), until=bindparam("lease", type_=Instant))
            .returning(lanes.c.sink, lanes.c.target)
            for dialect, free in _free(is_failing=is_failing).items()
        },
        Lane,
    )


#: By whether a lane's last attempt failed.
_ANY_FREE = {is_failing: Query(_free(is_failing=is_failing)) for is_failing in (False, True)}
_CLAIM = {is_failing: _claim(is_failing=is_failing) for is_failing in (False, True)}


class Search(NamedTuple):
    """Lanes that a process looks for: of these sinks, or that of arrivals, with something due and nobody at it."""

    sinks: Sequence[str]
    #: Whether the last attempt failed.
    is_failing: bool
    now: int
    most: int


async def is_any_free(db: Reader, search: Search) -> bool:
    """Whether there is a lane to claim: asked before a transaction is begun."""
    sinks = [ARRIVALS.sink, *search.sinks]
    return await db.first(_ANY_FREE[search.is_failing], sinks=sinks, now=search.now, most=1) is not None


async def claim(tx: Transaction, search: Search, token: str, until: int) -> list[Lane]:
    """Take the lanes."""
    sinks, query = [ARRIVALS.sink, *search.sinks], _CLAIM[search.is_failing]
    return await tx.all(query, sinks=sinks, mine=token, now=search.now, lease=until, most=search.most)
