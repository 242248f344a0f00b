"""Every statement about entries."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, delete, select

from cms_host.api import Query, Reader, Transaction, insert
from cms_sink_webhook_delivery.tables import entries


class Entry(NamedTuple):
    """One place that events are sent to."""

    id: int
    url: str
    secret: str
    #: Kinds of events; none of them stands for all.
    events: list[str]
    allow_private: bool
    #: Microseconds since the epoch.
    created_at: int

    @property
    def target(self) -> str:
        """What the outbox calls it."""
        return str(self.id)

    def wants(self, kind: str) -> bool:
        """Whether it is to be told of events of a kind."""
        return not self.events or kind in self.events


_entries = select(*entries.c)
_ALL = Query(_entries.order_by(entries.c.id), Entry)
_FIND = Query(_entries.where(entries.c.id == bindparam("id")), Entry)
_new = insert(entries).values({each.key: bindparam(each.key) for each in entries.c if each.key != "id"})
_ADD = Query(_new.returning(entries.c.id))
_REMOVE = Query(delete(entries).where(entries.c.id == bindparam("which")))


async def find_all(db: Reader) -> Sequence[Entry]:
    """All of them, the oldest first."""
    return await db.all(_ALL)


async def find(db: Reader, entry_id: int) -> Entry | None:
    return await db.first(_FIND, id=entry_id)


async def add(tx: Transaction, url: str, secret: str, events: Sequence[str], allow_private: bool, now: int) -> int:
    """Keep a new entry; gives its id."""
    entry_id: int = await tx.value(
        _ADD, url=url, secret=secret, events=list(events), allow_private=allow_private, created_at=now
    )
    return entry_id


async def remove(tx: Transaction, entry_id: int) -> None:
    await tx.send(_REMOVE, which=entry_id)
