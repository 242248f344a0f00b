"""Paged lists: which page a client may ask for (contract 3)."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from marshmallow import fields

from cms_host.answers import Record
from cms_host.db import Query, Reader
from cms_host.envelope import DEFAULT_PER_PAGE
from cms_host.schema import MAX_NUMBER, Number, Schema

MAX_PER_PAGE = 100
R = TypeVar("R", bound=tuple[Any, ...])


class PageQuery(Schema):
    """Query parameters of a paged list; a list with filters adds its own."""

    page = Number(metadata={"description": "Counted from 1.", "default": 1})
    per_page = Number(
        metadata={"description": f"Records of a page, at most {MAX_PER_PAGE}.", "default": DEFAULT_PER_PAGE}
    )


class PageRecord(Record):
    """`data` of a paged list as the documentation shows it; every list adds its `items`."""

    total = fields.Integer(metadata={"minimum": 0, "description": "Matching records on all pages."})
    pages = fields.Integer(metadata={"minimum": 0})
    current_page = fields.Integer(metadata={"minimum": 1})
    per_page = fields.Integer(metadata={"minimum": 1})


class Paging(NamedTuple):
    """The page that is wanted, counted from 1, and how many items it holds."""

    page: int
    per_page: int

    @property
    def offset(self) -> int:
        """How many items come before it; never more than a database can count."""
        return min((self.page - 1) * self.per_page, MAX_NUMBER)

    async def find(self, db: Reader, counted: Query[Any], paged: Query[R], /, **values: Any) -> tuple[Sequence[R], int]:
        """The records of the page, and how many there are on all pages; past the end these are only counted.

        :param counted: a statement whose one value is their number. :param paged: one with the parameters `limit` and
            `offset`. :param values: of all other parameters of both.
        """
        total: int = await db.value(counted, **values)
        if self.offset >= total:
            return [], total
        return await db.all(paged, limit=self.per_page, offset=self.offset, **values), total


def paging(sent: Mapping[str, Any], default: int = DEFAULT_PER_PAGE, most: int = MAX_PER_PAGE) -> Paging:
    """The page that these parameters of a `PageQuery` ask for.

    :param default: records of a page that was asked for none, or for fewer than one. :param most: of any page.
    """
    per_page = sent.get("per_page", default)
    return Paging(page=max(sent.get("page", 1), 1), per_page=min(per_page, most) if per_page >= 1 else default)
