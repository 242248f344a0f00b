"""What the health endpoint looks at."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from cms_host.services import UnitOfWork


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """A named look at one part of the site.

    :param run: returns a short description of a part that is well.
    :raises Exception: from `run`, when it is not; the message is shown to administrators.
    """

    name: str
    run: Callable[[UnitOfWork], Awaitable[str]]
