"""What clients may send about views, and what they get as figures."""

from typing import Any

import marshmallow as ma
from marshmallow import fields
from marshmallow.validate import Range

from cms_host.api import LocalTime, Record, Schema, Whole, unacceptable

#: Entries of one request, and views of one entry.
MOST_ITEMS, MOST_VIEWS = 1_000, 1_000_000
#: Days of `views.daily`, today among them.
DAYS = 30
_NUMBER = {"minimum": 0}


class Views(Schema):
    """Views of one post."""

    post_id = Whole(required=True)
    count = Whole(required=True, validate=Range(1, MOST_VIEWS, error="Must be from {min} to {max}."))


class Items(fields.List[dict[str, int]]):
    """A JSON array of one to `MOST_ITEMS` views."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(fields.Nested(Views), metadata={"minItems": 1, "maxItems": MOST_ITEMS}, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> list[Any]:
        if not isinstance(value, list):
            raise ma.ValidationError("Must be an array.")
        if not value:
            raise ma.ValidationError("Must not be empty.")
        # A validator would see it too late: after each of perhaps a million entries was looked at.
        if len(value) > MOST_ITEMS:
            unacceptable(f"Must have at most {MOST_ITEMS} entries.")
        return super()._deserialize(value, attr, data, **kwargs)


class CountViews(Schema):
    """Views of posts since they were last sent."""

    items = Items(required=True)


def number(**metadata: Any) -> fields.Integer:
    """A number of something."""
    return fields.Integer(metadata={**_NUMBER, **metadata})


class PostFigures(Record):
    """Numbers of posts."""

    total = number(description="All of them, the trash included.")
    published = number()
    draft = number()
    scheduled = number()
    pending = number()
    trash = number()


class CommentFigures(Record):
    """Numbers of comments."""

    total = number(description="All of them, spam and trash included.")
    pending = number()
    approved = number()
    spam = number()
    trash = number()


class MediaFigures(Record):
    """The media library."""

    total = number()
    bytes = number(description="Of the original files.")


def by_code() -> fields.Dict:
    """Numbers by the codes of gate rules."""
    return fields.Dict(keys=fields.String(), values=fields.Integer())


class GateFigures(Record):
    """What the gate refused within 30 days."""

    refusals = by_code()
    shadow = by_code()
    schedule_refusals = number(description="Posts that were due and refused.")


class DayFigures(Record):
    """Views of one day."""

    date = fields.String(metadata={"format": "date"})
    views = number()


class ViewFigures(Record):
    """How often posts were viewed, by the days of the site's time zone."""

    total = number(description="Since the site began to count.")
    today = number()
    last_7_days = number(description="Today and the six days before.")
    last_30_days = number()
    daily = fields.List(
        fields.Nested(DayFigures), metadata={"description": "Oldest first.", "minItems": DAYS, "maxItems": DAYS}
    )


class StatsRecord(Record):
    """Figures of the site. What can't be told at the moment is null."""

    posts = fields.Nested(PostFigures, allow_none=True)
    pages = fields.Nested(PostFigures, allow_none=True)
    comments = fields.Nested(CommentFigures, allow_none=True)
    media = fields.Nested(MediaFigures, allow_none=True)
    users = fields.Integer(allow_none=True, metadata=_NUMBER)
    categories = fields.Integer(allow_none=True, metadata=_NUMBER)
    tags = fields.Integer(allow_none=True, metadata=_NUMBER)
    views = fields.Nested(ViewFigures)
    gate = fields.Nested(GateFigures, allow_none=True)
    generated_at = LocalTime()


class LeftOut(Record):
    """What was left out."""

    code = fields.String(metadata={"example": "unknown_post"})
    message_tr = fields.String()
    message_en = fields.String()
    detail = fields.Dict()


class CountedRecord(Record):
    """What became of the views."""

    success = fields.Boolean()
    counted = number(description="Views that are counted.")
    warnings = fields.List(fields.Nested(LeftOut))
