"""What clients may send about tags, and what they get."""

from marshmallow import fields

from cms_host.api import LocalTime, PageQuery, PageRecord, Record, Schema, Text
from cms_tags.api import NAME_LIMIT

SLUG_LIMIT = 2_000


class TagChanges(Schema):
    """Fields of an update: all optional, what is left out stays."""

    name = Text(limit=NAME_LIMIT, filled=True)
    slug = Text(limit=SLUG_LIMIT)


class NewTag(TagChanges):
    """Fields of a new tag."""

    name = Text(limit=NAME_LIMIT, required=True)


class MergeTag(Schema):
    """The tag that remains."""

    into = Text(limit=SLUG_LIMIT, required=True, metadata={"description": "Its slug."})


class ListTags(PageQuery):
    """Query parameters of the list."""

    search = Text(limit=NAME_LIMIT, metadata={"description": "A part of the name; letters are folded."})


class TagRecord(Record):
    """A tag."""

    id = fields.Integer()
    name = fields.String()
    slug = fields.String()
    post_count = fields.Integer(metadata={"minimum": 0, "description": "Published posts."})
    created_at = LocalTime()


class TagPage(PageRecord):
    """A page of tags."""

    items = fields.List(fields.Nested(TagRecord))


class DeletedTag(Record):
    """What a deletion answers."""

    success = fields.Boolean()
