"""When keys were last used: noted in memory at each request, written once a minute (contract 8)."""

from sqlalchemy import bindparam, or_, update

from cms_host.api import Query, UnitOfWork
from cms_users.tables import api_keys

#: Seconds between writes.
EVERY = 60
_STAMP = Query(
    update(api_keys)
    .where(api_keys.c.id == bindparam("key"))
    .where(or_(api_keys.c.last_used_at.is_(None), api_keys.c.last_used_at < bindparam("used_at")))
    .values(last_used_at=bindparam("used_at"))
)


class LastUsed:
    """One process's notes."""

    def __init__(self) -> None:
        self._noted: dict[int, int] = {}

    def note(self, key_id: int, now: int) -> None:
        """Remember a use, unless a later one is remembered already."""
        if now > self._noted.get(key_id, 0):
            self._noted[key_id] = now

    async def flush(self, unit: UnitOfWork) -> None:
        """Write what was noted; a later note of another process stays."""
        if not self._noted:
            return
        noted, self._noted = self._noted, {}
        # In the order of the keys, so that two processes do not wait for each other.
        rows = [{"key": key_id, "used_at": noted[key_id]} for key_id in sorted(noted)]
        try:
            async with unit.write() as write:
                await write.tx.execute_many(_STAMP, rows)
        except BaseException:
            # A stop that cancels the job counts too: the last run of the process must find the notes.
            for key_id, used_at in noted.items():
                self.note(key_id, used_at)
            raise
