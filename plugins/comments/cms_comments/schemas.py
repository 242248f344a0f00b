"""What clients may send about comments, and what they get."""

from marshmallow import fields

from cms_comments.author import ADDRESS_FORM
from cms_comments.comment import LISTED, STATUSES
from cms_host.api import (
    Choice,
    FlagField,
    LocalTime,
    Number,
    PageQuery,
    PageRecord,
    Record,
    Schema,
    Several,
    Text,
    Whole,
)

NAME_LIMIT = 200
#: Characters of a comment as it is sent; what WordPress takes.
CONTENT_LIMIT = 65_525


class CommentFields(Schema):
    """Fields that a new comment and an update have in common."""

    content = Text(limit=CONTENT_LIMIT, filled=True, metadata={"description": "Text, or HTML, which is sanitised."})
    author_name = Text(limit=NAME_LIMIT, filled=True)
    author_email = Text(
        limit=NAME_LIMIT + 54,
        metadata={"description": "An address, or empty.", "pattern": rf"^\s*(?:{ADDRESS_FORM})?\s*$"},
    )


class CommentChanges(CommentFields):
    """Fields of an update: all optional, what is left out stays."""

    status = Choice(*STATUSES)


class NewComment(CommentFields):
    """Fields of a new comment."""

    post_id = Whole(required=True)
    parent_id = Whole(allow_none=True, metadata={"description": "The comment of the same post that it replies to."})
    content = Text(limit=CONTENT_LIMIT, required=True, metadata={"description": "Text, or HTML, which is sanitised."})
    author_name = Text(limit=NAME_LIMIT, filled=True, metadata={"description": "The caller's, where none is sent."})
    author_ip = Text(
        limit=NAME_LIMIT,
        metadata={
            "description": "The caller's, where none is sent.",
            "anyOf": [{"format": "ipv4"}, {"format": "ipv6"}, {"maxLength": 0}],
        },
    )


class DeleteComment(Schema):
    """How to delete."""

    force = FlagField()


class ListComments(PageQuery):
    """Query parameters of the list."""

    post_id = Number()
    status = Several(
        Choice(*STATUSES),
        metadata={"description": f"One status or several, by comma: {', '.join(STATUSES)}. Else {', '.join(LISTED)}."},
    )


class CommentRecord(Record):
    """A comment."""

    id = fields.Integer()
    post_id = fields.Integer()
    parent_id = fields.Integer(allow_none=True, metadata={"description": "The comment that it replies to."})
    author_name = fields.String()
    author_email = fields.String(metadata={"optional": True, "description": "For editors and above."})
    author_ip = fields.String(metadata={"optional": True, "description": "For editors and above."})
    content = fields.String(metadata={"description": "Sanitised HTML."})
    status = fields.String(metadata={"enum": list(STATUSES)})
    created_at = LocalTime()


class CommentWarning(Record):
    """Something that does not stand in the way, but should be known."""

    code = fields.String(metadata={"example": "sanitized"})
    message_tr = fields.String()
    message_en = fields.String()
    detail = fields.Dict()


class CommentWritten(CommentRecord):
    """What a write answers."""

    warnings = fields.List(
        fields.Nested(CommentWarning), metadata={"optional": True, "description": "Where content was removed."}
    )


class CommentPage(PageRecord):
    """A page of comments."""

    items = fields.List(fields.Nested(CommentRecord))


class DeletedComment(Record):
    """What a deletion answers."""

    success = fields.Boolean()
