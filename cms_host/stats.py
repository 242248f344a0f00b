"""Figures of the site: every plugin tells its own, and whoever shows them asks for all (contract 5, stats)."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from cms_host.services import UnitOfWork

#: A number, or numbers by name; these may hold numbers by name in turn.
Figures = int | Mapping[str, "Figures"]


@dataclass(frozen=True, slots=True)
class StatSource:
    """Figures of one kind.

    :param name: the key under which they are shown (`posts`, `users`); no two sources have the same.
    :param run: gives what is shown under it. It is called at each look, outside of any transaction, so it should cost
        as much on a large site as on a small one: kept numbers rather than counted rows.
    :raises Exception: from `run`, when they can't be told; the other figures are shown all the same.
    """

    name: str
    run: Callable[[UnitOfWork], Awaitable[Figures]]
