"""What clients may send about categories, and what they get."""

from marshmallow import fields

from cms_categories.api import NAME_LIMIT
from cms_host.api import LocalTime, PageRecord, Record, Schema, Text, Whole

SLUG_LIMIT = 2_000
DESCRIPTION_LIMIT = 10_000


class CategoryChanges(Schema):
    """Fields of an update: all optional, what is left out stays."""

    name = Text(limit=NAME_LIMIT, filled=True)
    slug = Text(limit=SLUG_LIMIT)
    description = Text(limit=DESCRIPTION_LIMIT)
    parent_id = Whole(allow_none=True)


class NewCategory(CategoryChanges):
    """Fields of a new category."""

    name = Text(limit=NAME_LIMIT, required=True)


class CategoryRecord(Record):
    """A category."""

    id = fields.Integer()
    name = fields.String()
    slug = fields.String()
    description = fields.String()
    parent_id = fields.Integer(allow_none=True, metadata={"description": "Null at the top level."})
    post_count = fields.Integer(metadata={"minimum": 0, "description": "Published posts, those of children apart."})
    created_at = LocalTime()
    updated_at = LocalTime()


class CategoryDetail(CategoryRecord):
    """A category and those directly below it."""

    children = fields.List(fields.Nested(CategoryRecord))


class CategoryPage(PageRecord):
    """All categories."""

    items = fields.List(fields.Nested(CategoryRecord))


class DeletedCategory(Record):
    """What a deletion answers."""

    success = fields.Boolean()
