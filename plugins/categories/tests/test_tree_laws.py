"""What holds of the tree after any sequence of writes."""

from contextlib import suppress
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cms_categories.api import TREE_LOCK, Shelves
from cms_categories.service import CategoryExists, CategoryService
from cms_categories.store import Category
from cms_host.api import FieldErrors, UnitOfWork
from cms_host.testing import Site

#: Which of those that exist, counted around; few names, so that they meet.
WHICH = st.integers(0, 7)
NAMES = st.sampled_from(["News", "news", "Şehir", "sehir", "İzmir", "☂"])
CREATE = st.tuples(st.just("create"), NAMES, st.none() | WHICH)
MOVE = st.tuples(st.just("move"), WHICH, st.none() | WHICH)
DELETE = st.tuples(st.just("delete"), WHICH, st.none())


class Undo(Exception):
    """Nothing of an example stays."""


def parent_of(there: list[Category], which: int | None) -> int | None:
    return None if which is None or not there else there[which % len(there)].id


async def take(unit: UnitOfWork, step: tuple[str, Any, Any]) -> None:
    act, subject, parent = step
    service = unit.get(CategoryService)
    there = sorted(await service.all())
    if act == "create":
        await service.create({"name": subject, "parent_id": parent_of(there, parent)})
    elif there:
        slug = there[subject % len(there)].slug
        if act == "move":
            await service.change(slug, {"parent_id": parent_of(there, parent)})
        else:
            await service.delete(slug)


def assert_tree(there: list[Category]) -> None:
    above = {each.id: each.parent_id for each in there}
    for each in above:
        line = [each]
        while (parent := above[line[-1]]) is not None:
            assert parent not in line, "a loop"
            line.append(parent)
    assert len({each.slug for each in there}) == len(there)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(CREATE | CREATE | MOVE | DELETE, min_size=4, max_size=25))
async def test_whatever_is_written_every_category_hangs_on_the_top(
    site: Site, steps: list[tuple[str, Any, Any]]
) -> None:
    site.provide(Shelves)
    with suppress(Undo):
        async with site.host.unit().write(TREE_LOCK) as unit:
            for step in steps:
                with suppress(FieldErrors, CategoryExists):
                    await take(unit, step)
                assert_tree(list(await unit.get(CategoryService).all()))
            raise Undo
