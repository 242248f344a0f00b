"""A post as it is stored, and what follows from its fields."""

import hashlib
from typing import NamedTuple

import orjson

PUBLISHED = "published"
DRAFT = "draft"
SCHEDULED = "scheduled"
PENDING = "pending"
TRASH = "trash"
PUBLIC = "public"
PRIVATE = "private"
PROTECTED = "password"
#: Spec, Post status values.
STATUSES = (PUBLISHED, DRAFT, SCHEDULED, PENDING, TRASH)
#: What the rules that look for duplicates compare with.
LISTED = (PUBLISHED, SCHEDULED)
TYPES = ("post", "page")
VISIBILITIES = (PUBLIC, PRIVATE, PROTECTED)
COMMENT_STATUSES = ("open", "closed")


class Post(NamedTuple):
    """One post. Moments are microseconds since the epoch; the order of the fields is that of the store's columns."""

    id: int
    type: str
    status: str
    visibility: str
    author_id: int
    title: str
    slug: str
    excerpt: str
    featured_image: str
    comment_status: str
    is_featured: bool
    reading_time: int
    view_count: int
    ymyl: bool
    sources: list[str]
    ai_disclosure: str | None
    original_notes: str | None
    scheduled_at: int | None
    published_at: int | None
    created_at: int
    updated_at: int
    content_modified_at: int
    content_hash: str
    reviewed_at: int | None
    reviewed_by: int | None
    reviewed_hash: str | None
    approved_hash: str | None
    password_hash: str | None
    trashed_at: int | None
    content: str
    author_name: str = ""

    @property
    def review_valid(self) -> bool | None:
        """Whether readers see what the gate last let pass; None when it never did (spec, Post record)."""
        return None if self.approved_hash is None else self.approved_hash == self.content_hash


class Facing(NamedTuple):
    """Everything that a reader can see (contract 4, Reader-facing content)."""

    title: str
    content: str
    excerpt: str
    featured_image: str
    slug: str
    sources: list[str]
    ai_disclosure: str | None
    #: Ids in ascending order.
    categories: tuple[int, ...]
    tags: tuple[int, ...]

    @property
    def digest(self) -> str:
        """SHA-256 of it all, in hex."""
        return hashlib.sha256(orjson.dumps(tuple(self))).hexdigest()


def facing_of(post: Post, categories: tuple[int, ...] = (), tags: tuple[int, ...] = ()) -> Facing:
    """What readers see of a post under these categories and tags (ids in ascending order)."""
    return Facing(
        post.title, post.content, post.excerpt, post.featured_image, post.slug, post.sources, post.ai_disclosure,
        categories, tags,
    )  # fmt: skip
