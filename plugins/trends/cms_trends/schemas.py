"""What clients may ask about trends, and what they get."""

from marshmallow import fields

from cms_host.api import Choice, Number, Record, Schema
from cms_trends.period import DEFAULT, PERIODS

DEFAULT_LIMIT, MOST = 10, 100
_NUMBER = {"minimum": 0}


class ListTrends(Schema):
    """Which period, and how much of it."""

    period = Choice(*PERIODS, metadata={"default": DEFAULT})
    limit = Number(
        metadata={"description": f"Posts, and tags, at most; no more than {MOST}.", "default": DEFAULT_LIMIT}
    )


class TrendingPostRecord(Record):
    """A post that is read much."""

    post_id = fields.Integer()
    title = fields.String()
    slug = fields.String()
    views = fields.Integer(metadata={"minimum": 1})
    previous_views = fields.Integer(metadata={**_NUMBER, "description": "In the period before."})
    change = fields.Float(
        allow_none=True,
        metadata={"description": "0.5 is half as many again; null where there were none before.", "minimum": -1},
    )


class TrendingTagRecord(Record):
    """A tag of posts that are read much."""

    id = fields.Integer()
    name = fields.String()
    slug = fields.String()
    views = fields.Integer(metadata={"minimum": 1, "description": "Of all posts that carry it."})


class TrendsRecord(Record):
    """What is read most."""

    period = fields.String(metadata={"enum": [*PERIODS]})
    items = fields.List(fields.Nested(TrendingPostRecord), metadata={"maxItems": MOST})
    tags = fields.List(fields.Nested(TrendingTagRecord), metadata={"maxItems": MOST})
