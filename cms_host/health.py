"""What the health endpoint looks at."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import perf_counter

from sqlalchemy import literal, select

from cms_host.db import Query
from cms_host.services import UnitOfWork

_ONE = Query(select(literal(1).label("one")))


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """A named look at one part of the site.

    :param run: returns a short description of a part that is well.
    :raises Exception: from `run`, when it is not; the message is shown to administrators.
    """

    name: str
    run: Callable[[UnitOfWork], Awaitable[str]]


async def _look_at_database(unit: UnitOfWork) -> str:
    begun = perf_counter()
    await unit.db.value(_ONE)
    return f"{unit.db.dialect} answered in {(perf_counter() - begun) * 1000:.1f} ms"


#: The one check of the host itself.
DATABASE_CHECK = HealthCheck("database", _look_at_database)
