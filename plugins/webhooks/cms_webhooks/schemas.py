"""What clients may send to the actions, and what they get."""

from typing import Any

import marshmallow as ma
from marshmallow import fields

from cms_host.api import Choice, LocalTime, Moment, PageRecord, Record, Schema, Text, Whole, unacceptable
from cms_posts.api import NewPost, PostFields

#: Most items of one call.
MOST_ITEMS = 100
ADDRESS_LIMIT = 2_000
TEXT_LIMIT = 1_000
BY_NAME = {
    "type": "array",
    "items": {"oneOf": [{"type": "integer", "format": "int64"}, {"type": "string"}]},
    "maxItems": 1000,
    "description": "Ids or names. Editors and above: a name that no category has makes one.",
}


class StoredPost(Schema):
    """A post that is stored."""

    id = Whole(required=True, metadata={"description": "Of a stored post."})


class Later(Schema):
    """When to publish."""

    scheduled_at = Moment(required=True)


class MaybeLater(Schema):
    """When to publish, if that is not now."""

    scheduled_at = Moment(allow_none=True)


class PublishAction(PostFields):
    """A new post, or the id of a stored one."""

    alternatives = (("id",), ("title", "content"))
    id = Whole(metadata={"description": "Of a stored post, which is published as it is; in place of a new one."})


class ScheduleAction(Later, PublishAction):
    """The same, with a time to come."""


class DraftAction(NewPost):
    """A new post; `status` and `scheduled_at` do not count."""


class MediaAction(Schema):
    """Where an image is."""

    url = Text(limit=ADDRESS_LIMIT, required=True, metadata={"description": "http or https, at a public address."})
    alt = Text(limit=TEXT_LIMIT)
    title = Text(limit=TEXT_LIMIT)


class ItemStatus(Schema):
    """What an item is to become."""

    status = Choice("published", "draft", required=True)


class Items(fields.List[Any]):
    """Posts, of which only the number is looked at: each is judged for itself."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> list[Any]:
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            raise ma.ValidationError("Must be an array of objects.")
        if not 1 <= len(value) <= MOST_ITEMS:
            unacceptable(f"Must have 1 to {MOST_ITEMS} entries.")
        return value


class BulkAction(Schema):
    """Many new posts."""

    items = Items(fields.Nested(NewPost), required=True, metadata={"minItems": 1, "maxItems": MOST_ITEMS})
    status = Choice(
        "published",
        "draft",
        load_default="published",
        metadata={"description": "Of the items that do not say theirs."},
    )


class QueueAction(Schema):
    """Which page of the queue."""

    page = Whole(metadata={"description": "Counted from 1.", "default": 1})
    per_page = Whole(metadata={"description": "Items of a page, at most 100.", "default": 20})


class Action(Record):
    """One action."""

    name = fields.String()
    method = fields.String()
    path = fields.String()
    role = fields.String(metadata={"description": "The least role that may call it."})


class ActionList(Record):
    """The actions there are."""

    actions = fields.List(fields.Nested(Action))


class ConnectionRecord(Record):
    """Who the caller is taken for."""

    ok = fields.Boolean()
    authenticated_by = fields.String(metadata={"enum": ["api_key", "signature"]})
    header = fields.String(metadata={"example": "X-API-Key"})
    role = fields.String()
    time = LocalTime()


class PendingRecord(Record):
    """An item of the content queue."""

    id = fields.Integer()
    title = fields.String()
    source = fields.String()
    format = fields.String(metadata={"enum": ["markdown", "html"]})
    created_at = LocalTime()


class PendingPage(PageRecord):
    """A page of the content queue, the oldest items first."""

    items = fields.List(fields.Nested(PendingRecord))


class ItemResult(Record):
    """What became of one item."""

    index = fields.Integer(metadata={"minimum": 0})
    success = fields.Boolean()
    id = fields.Integer(metadata={"optional": True, "description": "Of the post, where there is one now."})
    status = fields.String(metadata={"optional": True, "enum": ["published", "draft"]})
    error = fields.Raw(
        metadata={
            "optional": True,
            "oneOf": [{"type": "string", "enum": ["quality_gate"]}, {"type": "object"}],
            "description": "`quality_gate`, or an error object.",
        }
    )
    blocks = fields.List(
        fields.Dict(), metadata={"optional": True, "description": "The reasons of the gate; else empty."}
    )


class BatchRecord(Record):
    """What became of all items."""

    total = fields.Integer(metadata={"minimum": 1})
    succeeded = fields.Integer(metadata={"minimum": 0})
    failed = fields.Integer(metadata={"minimum": 0})
    results = fields.List(fields.Nested(ItemResult))
