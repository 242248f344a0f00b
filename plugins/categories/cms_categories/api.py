"""What neighbours may know of categories, and what this plugin asks of whoever files things under them."""

from collections.abc import Collection, Mapping
from typing import Protocol

from sqlalchemy import column, table

from cms_host.api import Ascii, Id

#: Read-only, for joins.
categories = table("categories", column("id", Id), column("name"), column("slug", Ascii), column("parent_id", Id))


class Categories(Protocol):
    """Categories, as other plugins may ask about them."""

    async def parents(self, ids: Collection[int]) -> Mapping[int, int | None]:
        """Those of the ids that exist, each with its parent.

        Inside a transaction they neither vanish nor move before its end (on PostgreSQL: FOR SHARE).
        """


class Shelves(Protocol):
    """Whoever keeps the posts of categories."""

    async def published_in(self, category_ids: Collection[int]) -> Mapping[int, int]:
        """How many published posts each of the categories holds itself, its children apart."""

    async def rearrange(self, category_ids: Collection[int]) -> None:
        """Inside a transaction: the children of these categories are others now, so what they list has changed."""
