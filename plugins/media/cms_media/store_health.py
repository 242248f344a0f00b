"""How the store of files is, for health and for `cms-host check`."""

from cms_host.api import HealthCheck, UnitOfWork
from cms_media.api import MediaStore


async def look_at_store(unit: UnitOfWork) -> str:
    """Where it is, and how much there is room for. :raises Exception: it can't be written to."""
    return await unit.get(MediaStore).verify()


CHECK = HealthCheck("media_store", look_at_store)
