"""From what a writer asked for to the categories and tags that a post gets, inside the transaction."""

from collections.abc import Sequence

from cms_categories.api import TREE_LOCK, Categories
from cms_host.api import UnitOfWork
from cms_posts.plan import Plan
from cms_posts.relations import Relations
from cms_posts.warnings import Warnings, unknown_categories
from cms_tags.api import Tags


async def file_under(unit: UnitOfWork, plan: Plan, had: Relations) -> tuple[Relations, Warnings]:
    """What the post is filed under once the plan is carried out, and what of it could not be found.

    Tags that are missing are created, in the transaction of the post: a refused publish leaves none behind. So are
    categories that the plan is to make.
    """
    relations, warnings = had, Warnings()
    if plan.categories is not None:
        wanted = [*plan.categories, *await _made(unit, plan)]
        parents = await unit.get(Categories).parents(wanted) if wanted else {}
        relations = relations._replace(
            categories=tuple(sorted(parents)),
            parents=tuple(sorted({each for each in parents.values() if each is not None} - parents.keys())),
        )
        unknown = [each for each in plan.categories if each not in parents]
        warnings = unknown_categories([*plan.not_categories, *unknown])
    if plan.tags is not None:
        found = await unit.get(Tags).find_or_create(plan.tags) if plan.tags else ()
        relations = relations._replace(tags=tuple(sorted(found)))
    return relations, warnings


async def _made(unit: UnitOfWork, plan: Plan) -> Sequence[int]:
    """The ids of the categories that the plan is to make; of a name that somebody else made meanwhile, that one's."""
    if not plan.new_categories:
        return ()
    await unit.tx.lock(TREE_LOCK)
    return await unit.get(Categories).find_or_create(plan.new_categories)
