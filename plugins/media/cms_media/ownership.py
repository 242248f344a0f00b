"""What media answer when an account is to be deleted: how many are its uploads, and whose they are from now on."""

from cms_host.api import UnitOfWork
from cms_media import store


class MediaOwnership:
    """Provides `Ownership` to the accounts."""

    name = "media"

    def __init__(self, unit: UnitOfWork) -> None:
        self._unit = unit

    async def count(self, user_id: int) -> int:
        return await store.count_of(self._unit.db, user_id)

    async def reassign(self, user_id: int, to: int) -> None:
        await store.reassign(self._unit.tx, user_id, to)
