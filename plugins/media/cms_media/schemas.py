"""What clients may send about media, and what they get."""

from marshmallow import fields

from cms_host.api import FlagField, LocalTime, Moment, Number, PageQuery, PageRecord, Record, Schema, Text
from cms_media.judging import MIME_TYPES

TEXT_LIMIT = 1_000
SEARCH_LIMIT = 300


class MediaChanges(Schema):
    """Fields of an update: all optional, what is left out stays."""

    alt = Text(limit=TEXT_LIMIT)
    title = Text(limit=TEXT_LIMIT)


class Upload(MediaChanges):
    """The form of an upload, as the documentation shows it."""

    file = fields.Raw(
        required=True,
        metadata={
            "type": "string",
            "format": "binary",
            "content_types": MIME_TYPES,
            "description": "JPEG, PNG, WebP, AVIF or GIF, whatever its name says.",
        },
    )


class DeleteMedia(Schema):
    """How to delete."""

    force = FlagField(metadata={"description": "Even if posts show it."})


class ListMedia(PageQuery):
    """Query parameters of the list."""

    search = Text(
        limit=SEARCH_LIMIT,
        metadata={"description": "Words; title or alternative text must have each. Letters are folded."},
    )
    mime_type = Text(limit=100, metadata={"description": ", ".join(MIME_TYPES)})
    author_id = Number()
    date_from = Moment()
    date_to = Moment()


class MediaUrls(Record):
    """Public addresses of the files of a medium."""

    original = fields.String()
    avif = fields.String()
    webp = fields.String()


class MediaRecord(Record):
    """An uploaded image."""

    id = fields.Integer()
    title = fields.String()
    alt = fields.String()
    filename = fields.String(metadata={"description": "The service's own."})
    path = fields.String(metadata={"description": "What a post's `featured_image` holds."})
    mime_type = fields.String(metadata={"enum": list(MIME_TYPES)})
    size = fields.Integer(metadata={"minimum": 1, "description": "Of the original, in bytes."})
    width = fields.Integer(metadata={"minimum": 1, "description": "Pixels, as it is shown."})
    height = fields.Integer(metadata={"minimum": 1})
    sha256 = fields.String(metadata={"description": "Of the original, in hex.", "pattern": "^[0-9a-f]{64}$"})
    urls = fields.Nested(MediaUrls)
    author_id = fields.Integer()
    created_at = LocalTime()


class MediaPage(PageRecord):
    """A page of media."""

    items = fields.List(fields.Nested(MediaRecord))


class DeletedMedia(Record):
    """What a deletion answers."""

    success = fields.Boolean()
