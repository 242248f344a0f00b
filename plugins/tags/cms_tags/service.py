"""Tags, and what may happen to them. Two names that fold alike are one tag."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from cms_host.api import (
    Conflict,
    FieldError,
    FieldErrors,
    Figures,
    NotFound,
    Paging,
    UnitOfWork,
    fold,
    plain_text,
    slug_candidates,
    slug_of,
)
from cms_tags import store
from cms_tags.api import NAME_LIMIT, TAGS_LOCK, Tagged
from cms_tags.store import Tag


class TagExists(Conflict):
    """There is a tag of this name already"""


class TagService:
    """Tags; provides `Tags` to neighbours."""

    def __init__(self, unit: UnitOfWork) -> None:
        self._unit = unit

    async def page(self, search: str, paging: Paging) -> tuple[Sequence[Tag], int]:
        """Some tags, by name, and how many there are; with `search`, of those that have it in their names."""
        return await store.find_page(self._unit.db, fold(search), paging)

    async def read(self, slug: str) -> Tag:
        """:raises NotFound: there is no tag with this very slug."""
        # What is no slug might be text that a database does not even take.
        tag = await store.find(self._unit.db, slug) if slug.isascii() else None
        if tag is None:
            raise NotFound
        return tag

    async def published_with(self, tags: Sequence[Tag]) -> Mapping[int, int]:
        """How many published posts carry each of them, by id; none where nobody keeps posts of tags."""
        total: Counter[int] = Counter()
        for tagged in self._unit.all(Tagged) if tags else ():
            total.update(await tagged.published_with([each.id for each in tags]))
        return total

    async def find_or_create(self, names: Sequence[str]) -> Sequence[int]:
        wanted = _distinct(names)
        await self._unit.tx.share_lock(TAGS_LOCK)
        ids = await store.find_ids(self._unit.tx, wanted)
        if missing := wanted.keys() - ids.keys():
            # In one order everywhere, so that two who need the same new tags never wait for each other.
            for slug, folded in sorted((slug_of(wanted[folded]), folded) for folded in missing):
                await self._add(wanted[folded], folded, slug)
            ids |= await store.find_ids(self._unit.tx, missing)
        return [ids[folded] for folded in wanted]

    async def create(self, sent: Mapping[str, Any]) -> Tag:
        """Make a tag; inside a transaction.

        :param sent: fields of `NewTag`.
        :raises FieldErrors: nothing is left of the name. :raises TagExists: there is one of this name.
        """
        name, folded = _named(sent["name"])
        await self._unit.tx.share_lock(TAGS_LOCK)
        tag = await self._add(name, folded, slug_of(sent.get("slug", "")) or slug_of(name))
        if tag is None:
            raise TagExists
        return tag

    async def change(self, slug: str, sent: Mapping[str, Any]) -> Tag:
        """Change a tag; inside a transaction that holds `TAGS_LOCK`.

        :param sent: fields of `TagChanges`; one that is missing stays as it is.
        :raises NotFound: there is none. :raises FieldErrors: nothing is left of the name.
        :raises TagExists: another tag has the name.
        """
        before = after = await self.read(slug)
        if "name" in sent:
            name, folded = _named(sent["name"])
            if folded != before.folded_name and await store.find_ids(self._unit.tx, [folded]):
                raise TagExists
            after = after._replace(name=name, folded_name=folded)
        if wish := slug_of(sent.get("slug", "")):
            taken = await store.taken_slugs(self._unit.tx, wish) - {before.slug}
            after = after._replace(slug=next(slug for slug in slug_candidates(wish) if slug not in taken))
        if after != before:
            await store.save(self._unit.tx, after)
        return after

    async def merge(self, slug: str, into: str) -> Tag:
        """Give everything that carries one tag the other instead, and delete the one.

        Inside a transaction that holds `TAGS_LOCK`.

        :raises NotFound: there is no tag to merge.
        :raises FieldErrors: 422, the other one is itself or does not exist.
        """
        tag = await self.read(slug)
        other = await store.find(self._unit.tx, into)
        if other is None or other == tag:
            message = "There is no tag with this slug." if other is None else "Must be another tag."
            raise FieldErrors([FieldError("into", message)], 422)
        for tagged in self._unit.all(Tagged):
            await tagged.merge(tag.id, other.id)
        await store.remove(self._unit.tx, tag)
        return other

    async def delete(self, slug: str) -> None:
        """Delete a tag; inside a transaction that holds `TAGS_LOCK`.

        :raises NotFound: there is none.
        """
        await store.remove(self._unit.tx, await self.read(slug))

    async def _add(self, name: str, folded: str, slug: str) -> Tag | None:
        """A new tag with the slug or one that follows it; None where a tag has the name."""
        tx, now = self._unit.tx, self._unit.host.clock.now()
        tag = Tag(0, name, folded, slug, now)
        if not slug:
            tag = tag._replace(id=await store.next_id(tx))
            slug = f"tag-{tag.id}"
        taken: set[str] = set()
        for candidate in slug_candidates(slug):
            if candidate not in taken:
                added = await store.add(tx, tag._replace(slug=candidate))
                if added is not None or await store.find_ids(tx, [folded]):
                    break
                # A rival has the slug: look once at everything that begins alike instead of trying one by one.
                taken = {candidate, *await store.taken_slugs(tx, slug)}
        return added


def _named(sent: str) -> tuple[str, str]:
    """A name as it is kept, and folded.

    :raises FieldErrors: nothing is left of it.
    """
    name = plain_text(sent).strip()
    folded = fold(name)
    if not folded:
        raise FieldErrors([FieldError("name", "Must not be empty once its tags are removed.")])
    return name, folded


def _distinct(names: Sequence[str]) -> dict[str, str]:
    """Names as they are kept, by what they fold to, in their order; of those that fold alike the first."""
    if any(len(name) > NAME_LIMIT for name in names):
        raise FieldErrors([FieldError("tags", f"Each must be at most {NAME_LIMIT} characters long.")], 422)
    found: dict[str, str] = {}
    for name in names:
        plain = plain_text(name).strip()
        found.setdefault(fold(plain), plain)
    found.pop("", None)
    return found


async def number_of_tags(unit: UnitOfWork) -> Figures:
    """How many tags there are."""
    return await store.count(unit.db)
