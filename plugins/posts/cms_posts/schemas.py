"""What clients may send about posts."""

from typing import Any

from marshmallow import fields

from cms_host.api import (
    Choice,
    FlagField,
    Ids,
    LocalTime,
    Moment,
    Number,
    PageQuery,
    PageRecord,
    Record,
    Schema,
    Several,
    Text,
    Texts,
    Whole,
)
from cms_posts.listed import FIELDS
from cms_posts.listing import ORDERS
from cms_posts.passwords import LONGEST
from cms_posts.post import COMMENT_STATUSES, STATUSES, TYPES, VISIBILITIES
from cms_posts.seo_schemas import SeoBody, SeoRecord

TITLE_LIMIT = 500
SHORT = 2_000
TAG_LIMIT = 200
SEARCH_LIMIT = 300
#: With `with_relations=1` only.
WITH_RELATIONS = {"optional": True}


class EditorialBody(Schema):
    """What editors keep beside a post; only what is sent changes."""

    ai_disclosure = Text(limit=SHORT, allow_none=True)
    original_notes = Text(limit=100_000, allow_none=True)
    sources = Texts(limit=SHORT, most=200)
    ymyl = FlagField()


class PostFields(Schema):
    """Fields of a post that clients write."""

    title = Text(limit=TITLE_LIMIT, filled=True)
    content = Text(limit=None, filled=True)
    content_format = Choice("html", "markdown")
    slug = Text(limit=SHORT)
    excerpt = Text(limit=SHORT)
    status = Choice(*STATUSES)
    type = Choice(*TYPES)
    visibility = Choice(*VISIBILITIES)
    comment_status = Choice(*COMMENT_STATUSES)
    is_featured = FlagField()
    featured_image = Text(limit=SHORT)
    password = Text(limit=LONGEST, allow_none=True)
    categories = Ids(most=1000, allow_none=True)
    tags = Texts(limit=TAG_LIMIT, most=200, allow_none=True)
    scheduled_at = Moment(allow_none=True)
    author_id = Whole()
    editorial = fields.Nested(EditorialBody)
    seo = fields.Nested(SeoBody)
    reviewed = FlagField()


class PostAction(Schema):
    """What may come with an action on a stored post."""

    expected_content_modified_at = Moment()


class PostChanges(PostFields, PostAction):
    """Fields of an update: all optional, what is left out stays."""


class NewPost(PostFields):
    """Fields of a new post."""

    title = Text(limit=TITLE_LIMIT, required=True)
    content = Text(limit=None, required=True)


class SchedulePost(PostAction):
    """When to publish."""

    scheduled_at = Moment(required=True)


class DeletePost(PostAction):
    """How to delete."""

    force = FlagField()


class Related(Schema):
    """Query parameters of whatever answers with one post."""

    with_relations = Number(metadata={"description": "1 adds categories, tags and the SEO object."})


def _any_of(what: str) -> dict[str, str]:
    return {"description": f"One {what} or several, by comma: posts with any of them."}


class ListPosts(PageQuery):
    """Query parameters of the list."""

    status = Several(Choice(*STATUSES), metadata=_any_of(f"status ({', '.join(STATUSES)})"))
    type = Choice(*TYPES)
    category = Several(Text(limit=SHORT), metadata=_any_of("category's slug; its direct children count as well"))
    tag = Several(Text(limit=SHORT), metadata=_any_of("tag's slug"))
    author_id = Number()
    search = Text(limit=SEARCH_LIMIT, metadata={"description": "Words; title or text must have each of them."})
    slug = Text(limit=SHORT, metadata={"description": "A slug that the post has, or had if no other has it now."})
    ids = Several(Number(), metadata=_any_of("id"))
    featured = Number(metadata={"description": "1 leaves featured posts only."})
    date_from = Moment()
    date_to = Moment()
    updated_before = Moment()
    updated_after = Moment()
    content_modified_after = Moment()
    chosen = Several(
        Choice(*sorted(FIELDS)),
        data_key="fields",
        metadata={"description": "Fields of the record, by comma: nothing else is read or answered."},
    )
    with_relations = Number(metadata={"description": "1 adds categories and tags."})
    with_total = Number(metadata={"description": "0 leaves out total and pages."})
    after_id = Number(metadata={"description": "With order_by=id: what comes next above this id, instead of a page."})
    before_id = Number(metadata={"description": "With order_by=id: what comes next below this id."})
    order_by = Text(limit=None, metadata={"description": f"{', '.join(ORDERS)}; anything else is id."})
    order_dir = Text(limit=None, metadata={"description": "asc; anything else is desc."})


class Term(Record):
    """A category or tag of a post."""

    id = fields.Integer()
    name = fields.String()
    slug = fields.String()


class Editorial(Record):
    """What editors keep beside a post."""

    ai_disclosure = fields.String(allow_none=True)
    original_notes = fields.String(allow_none=True)
    sources = fields.List(fields.String())
    ymyl = fields.Boolean()


class PostRecord(Record):
    """A post."""

    id = fields.Integer()
    title = fields.String()
    slug = fields.String()
    status = fields.String(metadata={"enum": list(STATUSES)})
    type = fields.String(metadata={"enum": list(TYPES)})
    excerpt = fields.String()
    content = fields.String()
    featured_image = fields.String()
    author_id = fields.Integer()
    author_name = fields.String()
    reading_time = fields.Integer(metadata={"minimum": 1, "description": "Minutes."})
    view_count = fields.Integer()
    visibility = fields.String(metadata={"enum": list(VISIBILITIES)})
    comment_status = fields.String(metadata={"enum": list(COMMENT_STATUSES)})
    is_featured = fields.Boolean()
    scheduled_at = LocalTime(allow_none=True)
    published_at = LocalTime(allow_none=True)
    created_at = LocalTime()
    updated_at = LocalTime()
    content_modified_at = fields.String(metadata={"format": "date-time", "example": "2026-01-31T09:30:00.123456+00:00"})
    reviewed_at = LocalTime(allow_none=True)
    review_valid = fields.Boolean(allow_none=True)
    editorial = fields.Nested(Editorial)
    categories = fields.List(fields.Nested(Term), metadata=WITH_RELATIONS)
    tags = fields.List(fields.Nested(Term), metadata=WITH_RELATIONS)
    seo = fields.Nested(SeoRecord, metadata={**WITH_RELATIONS, "description": "Of a single post."})


class Warning(Record):  # noqa: A001 - the contract's word for what it is.
    """Something that does not stand in the way, but should be known."""

    code = fields.String()
    message_tr = fields.String()
    message_en = fields.String()
    detail = fields.Dict(metadata={"optional": True})


class PostWritten(Record):
    """What a write answers."""

    success = fields.Boolean()
    id = fields.Integer()
    post = fields.Nested(PostRecord)
    warnings = fields.List(fields.Nested(Warning))


class Checked(Record):
    """What the gate says of a post that it was shown."""

    passes = fields.Boolean()
    blocks = fields.List(fields.Nested(Warning))
    warnings = fields.List(fields.Nested(Warning))


class GateReport(Checked):
    """What the gate last said of a post when it decided about it."""

    ran_at = LocalTime()
    trigger = fields.String(metadata={"description": "What asked the gate.", "example": "publish"})


class ListedPost(PostRecord):
    """A post of a list: whole, or what `fields` asked for."""

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        super().on_bind_field(field_name, field_obj)
        field_obj.required = False


class PostPage(PageRecord):
    """A page of posts; of what a keyset or `with_total=0` makes no sense of, nothing."""

    total = fields.Integer(metadata={"optional": True, "minimum": 0, "description": "Not with `with_total=0`."})
    pages = fields.Integer(metadata={"optional": True, "minimum": 0, "description": "Not with `with_total=0`."})
    current_page = fields.Integer(
        metadata={"optional": True, "minimum": 1, "description": "Not with `after_id` or `before_id`."}
    )
    items = fields.List(fields.Nested(ListedPost))


class RevisionRecord(Record):
    """What a post was before a change that readers could see."""

    id = fields.Integer()
    post_id = fields.Integer()
    title = fields.String()
    slug = fields.String()
    excerpt = fields.String()
    content = fields.String()
    editor_id = fields.Integer(allow_none=True, metadata={"description": "Who made the change."})
    editor_name = fields.String()
    changed_fields = fields.List(fields.String(), metadata={"example": ["title", "editorial.sources"]})
    created_at = LocalTime()


class RevisionPage(PageRecord):
    """A page of revisions."""

    items = fields.List(fields.Nested(RevisionRecord))


class Deleted(Record):
    """What a deletion answers."""

    success = fields.Boolean()
