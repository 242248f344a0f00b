"""What neighbours may know of tags, and what this plugin asks of whoever carries them."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from sqlalchemy import column, table

from cms_host.api import Ascii, Id

#: Read-only, for joins.
tags = table("tags", column("id", Id), column("name"), column("slug", Ascii))
#: Longest name of a tag as it is sent, in characters.
NAME_LIMIT = 200
#: Held by whoever renames, merges or deletes tags. Whoever makes tags, or counts on those there are to stay until a
#: transaction ends, shares it.
TAGS_LOCK = "tags"


class Tags(Protocol):
    """Tags, as other plugins may ask for them."""

    async def find_or_create(self, names: Sequence[str]) -> Sequence[int]:
        """The ids of the tags with these names, in their order, each once; inside a transaction.

        It shares `TAGS_LOCK` from then on, so none of them can vanish before its end. Names that fold alike are one
        tag; what has no tag yet gets one. Names with nothing to keep are left out.

        :raises FieldErrors: 422, one is longer than `NAME_LIMIT`.
        """


class Tagged(Protocol):
    """Whoever keeps the posts of tags."""

    async def published_with(self, tag_ids: Collection[int]) -> Mapping[int, int]:
        """How many published posts carry each of the tags."""

    async def merge(self, tag_id: int, into_id: int) -> None:
        """Whatever carries the one carries the other from now on, once.

        Inside a transaction that holds `TAGS_LOCK`.
        """
