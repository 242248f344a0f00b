"""The tree of categories, and what may happen to it."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from cms_categories import store
from cms_categories.api import TREE_LOCK, Shelves
from cms_categories.store import Category
from cms_host.api import (
    Conflict,
    FieldError,
    FieldErrors,
    Figures,
    NotFound,
    UnitOfWork,
    fold,
    plain_text,
    slug_candidates,
    slug_of,
)


class CategoryExists(Conflict):
    """A category of this name is in this place already"""


class CategoryService:
    """Categories; provides `Categories` to neighbours."""

    def __init__(self, unit: UnitOfWork) -> None:
        self._unit = unit

    async def parents(self, ids: Collection[int]) -> Mapping[int, int | None]:
        if self._unit.db is not self._unit.host.db:
            await self._unit.tx.share_lock(TREE_LOCK)
        return await store.find_parents(self._unit.db, ids)

    async def named(self, names: Collection[str]) -> Mapping[str, int]:
        folded = {name: fold(plain_text(name).strip()) for name in names}
        found = await store.find_named(self._unit.db, {*folded.values()} - {""})
        return {name: found[each] for name, each in folded.items() if each in found}

    async def find_or_create(self, names: Sequence[str], parent_id: int | None = None) -> Sequence[int]:
        found = []
        for name in names:
            sent = {"name": name, "parent_id": parent_id}
            like = await store.find_like(self._unit.tx, _values(sent)["folded_name"], parent_id)
            found.append((await self.create(sent)).id if like is None else like)
        return list(dict.fromkeys(found))

    async def all(self) -> Sequence[Category]:
        """Every category, by name."""
        return await store.find_all(self._unit.db)

    async def read(self, slug: str) -> Category:
        """:raises NotFound: there is no category with this very slug."""
        # What is no slug might be text that a database does not even take.
        category = await store.find(self._unit.db, slug) if slug.isascii() else None
        if category is None:
            raise NotFound
        return category

    async def children(self, category: Category) -> Sequence[Category]:
        """The categories directly below it, by name."""
        return await store.find_children(self._unit.db, category.id)

    async def published_in(self, categories: Sequence[Category]) -> Mapping[int, int]:
        """How many published posts are in each of them, by id; none where nobody keeps posts of categories."""
        total: Counter[int] = Counter()
        for shelves in self._unit.all(Shelves):
            total.update(await shelves.published_in([each.id for each in categories]))
        return total

    async def create(self, sent: Mapping[str, Any]) -> Category:
        """Make a category; inside a transaction that holds `TREE_LOCK`.

        :param sent: fields of `NewCategory`.
        :raises FieldErrors: 400 for a name of which nothing is left, 422 for a parent that does not exist.
        :raises CategoryExists: its parent has a child of this name.
        """
        now = self._unit.host.clock.now()
        blank = Category(0, "", "", "", "", None, now, now)
        category = blank._replace(**_values(sent))
        await self._check_place(blank, category)
        slug = slug_of(sent.get("slug", "")) or slug_of(category.name)
        if not slug:
            category = category._replace(id=await store.next_id(self._unit.tx))
            slug = f"category-{category.id}"
        category = category._replace(slug=await self._free_slug(slug))
        return category._replace(id=await store.add(self._unit.tx, category))

    async def change(self, slug: str, sent: Mapping[str, Any]) -> Category:
        """Change or move a category; inside a transaction that holds `TREE_LOCK`.

        :param sent: fields of `CategoryChanges`; one that is missing stays as it is.
        :raises NotFound: there is none. :raises FieldErrors: as in `create`, and 422 for a parent from below itself.
        :raises CategoryExists: its parent, or its new one, has another child of its name.
        """
        before = await self.read(slug)
        after = before._replace(**_values(sent))
        await self._check_place(before, after)
        if wish := slug_of(sent.get("slug", "")):
            after = after._replace(slug=await self._free_slug(wish, before.slug))
        if after == before:
            return before
        after = after._replace(updated_at=self._unit.host.clock.now())
        await store.save(self._unit.tx, after)
        if after.parent_id != before.parent_id:
            await self._rearrange(before.parent_id, after.parent_id)
        return after

    async def delete(self, slug: str) -> None:
        """Delete a category, whose children move up; inside a transaction that holds `TREE_LOCK`.

        :raises NotFound: there is none.
        """
        category = await self.read(slug)
        await store.lift_children(self._unit.tx, category, self._unit.host.clock.now())
        await store.remove(self._unit.tx, category)
        await self._rearrange(category.parent_id)

    async def _check_place(self, before: Category, after: Category) -> None:
        if after.parent_id is not None and after.parent_id != before.parent_id:
            line = await store.find_line(self._unit.tx, after.parent_id)
            if not line:
                raise FieldErrors([FieldError("parent_id", "There is no category with this id.")], 422)
            if after.id in line:
                raise FieldErrors([FieldError("parent_id", "Must not be the category itself or one below it.")], 422)
        # Children that moved up when their parent was deleted may have met their like: they need not be parted here.
        stays = (after.folded_name, after.parent_id) == (before.folded_name, before.parent_id)
        if not stays and await store.find_like(self._unit.tx, after.folded_name, after.parent_id, after.id):
            raise CategoryExists

    async def _free_slug(self, base: str, own: str = "") -> str:
        """The first of the slugs after `base` that no other category has."""
        taken = await store.taken_slugs(self._unit.tx, base) - {own}
        return next(slug for slug in slug_candidates(base) if slug not in taken)

    async def _rearrange(self, *parent_ids: int | None) -> None:
        """Tell whoever keeps posts by category whose children are others now."""
        changed = sorted(each for each in parent_ids if each is not None)
        if changed:
            for shelves in self._unit.all(Shelves):
                await shelves.rearrange(changed)


def _values(sent: Mapping[str, Any]) -> dict[str, Any]:
    """Body fields as fields of a `Category`; all but the slug, which depends on those of others."""
    values: dict[str, Any] = {}
    if "name" in sent:
        name = plain_text(sent["name"]).strip()
        values |= {"name": name, "folded_name": fold(name)}
        if not values["folded_name"]:
            raise FieldErrors([FieldError("name", "Must not be empty once its tags are removed.")])
    if "description" in sent:
        values["description"] = plain_text(sent["description"]).strip()
    if "parent_id" in sent:
        values["parent_id"] = sent["parent_id"]
    return values


async def number_of_categories(unit: UnitOfWork) -> Figures:
    """How many categories there are."""
    return await store.count(unit.db)
