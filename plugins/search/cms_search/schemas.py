"""What clients may ask, and what they get."""

from marshmallow import fields

from cms_host.api import PageQuery, PageRecord, Record, Text

LONGEST = 300


class Search(PageQuery):
    """Query parameters."""

    q = Text(
        limit=LONGEST,
        required=True,
        metadata={"description": "Words, each of which must be there; the last may go on."},
    )
    type = Text(limit=100, metadata={"description": "`post` or `page`; without it, both.", "example": "post"})


class FoundRecord(Record):
    """Something that was found."""

    id = fields.Integer()
    type = fields.String()
    title = fields.String()
    slug = fields.String()
    url = fields.String()
    excerpt = fields.String(metadata={"description": "HTML: escaped text, in which `<mark>` marks the hits."})
    score = fields.Float(metadata={"minimum": 0, "maximum": 1, "description": "How well it fits."})


class FoundPage(PageRecord):
    """A page of what was found, the best first."""

    items = fields.List(fields.Nested(FoundRecord))
