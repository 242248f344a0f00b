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
        self._noted[key_id] = now

    async def flush(self, unit: UnitOfWork) -> None:
        """Write what was noted; another process's later note is not overwritten."""
        if not self._noted:
            return
        noted, self._noted = self._noted, {}
        try:
            async with unit.write() as write:
                for key_id in sorted(noted):
                    await write.tx.execute(_STAMP, key=key_id, used_at=noted[key_id])
        except Exception:
            self._noted = noted | self._noted
            raise
