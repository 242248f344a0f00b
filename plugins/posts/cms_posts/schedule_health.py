"""How the scheduler is, for health."""

from cms_host.api import HealthCheck, UnitOfWork
from cms_posts.schedule_store import Figures, figures
from cms_posts.scheduler import REMEMBERED, SECOND

#: Seconds that a due post may wait.
PATIENCE = 60


class Behind(Exception):
    """A post has been due for too long."""


async def look_at_scheduler(unit: UnitOfWork) -> str:
    """How long the oldest due post has waited, and how many the gate refused in the last 24 hours.

    :raises Behind: it has waited for more than a minute.
    """
    now = unit.host.clock.now()
    found = await figures(unit.db, now, now - REMEMBERED * SECOND)
    lag = 0 if found.oldest is None else (now - found.oldest) // SECOND
    if lag > PATIENCE:
        raise Behind(_told(lag, found))
    return _told(lag, found)


def _told(lag: int, found: Figures) -> str:
    return f"the oldest due post waits for {lag} s; {found.refused} refused in 24 hours"


CHECK = HealthCheck("scheduler", look_at_scheduler)
