"""What neighbours may know of categories, and what this plugin asks of whoever files things under them."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from sqlalchemy import column, table

from cms_host.api import Ascii, Id

#: Read-only, for joins.
categories = table("categories", column("id", Id), column("name"), column("slug", Ascii), column("parent_id", Id))

#: Longest name of a category as it is sent, in characters.
NAME_LIMIT = 200
#: Held by whoever changes the tree: each by itself, two changes may be sound that together close a loop, or give one
#: place two categories of one name. Whoever counts on the tree to stay as it is until a transaction ends, shares it.
TREE_LOCK = "categories.tree"


class Categories(Protocol):
    """Categories, as other plugins may ask about them."""

    async def parents(self, ids: Collection[int]) -> Mapping[int, int | None]:
        """Those of the ids that exist, each with its parent.

        Inside a transaction, which then shares `TREE_LOCK`, they neither vanish nor move before its end.
        """

    async def named(self, names: Collection[str]) -> Mapping[str, int]:
        """The ids of the categories with these names, by the names as they were asked for, without those of none.

        Names that fold alike are one. Of several categories the one on top counts, else the oldest.
        """

    async def find_or_create(self, names: Sequence[str], parent_id: int | None = None) -> Sequence[int]:
        """The ids of the categories with these names below a parent, or on top; inside of `TREE_LOCK`.

        Names that fold alike are one category there; what has none yet gets one.

        :raises FieldErrors: 400, nothing is left of a name; 422, there is no such parent.
        """


class Shelves(Protocol):
    """Whoever keeps the posts of categories."""

    async def published_in(self, category_ids: Collection[int]) -> Mapping[int, int]:
        """How many published posts each of the categories holds itself, its children apart."""

    async def rearrange(self, category_ids: Collection[int]) -> None:
        """The children of these categories are others now, so what they list has changed.

        Inside a transaction that holds `TREE_LOCK`.
        """
