"""What a post becomes by a plan. Nothing here is written."""

from typing import NamedTuple

from cms_host.api import UnitOfWork
from cms_posts.outline import Outline, excerpt
from cms_posts.plan import Plan
from cms_posts.post import DRAFT, TRASH, Facing, Post, facing_of
from cms_posts.relations import NONE, Relations


class State(NamedTuple):
    """A post, and what it is filed under."""

    post: Post
    filed: Relations = NONE

    @property
    def facing(self) -> Facing:
        """What readers see of it."""
        return facing_of(self.post, self.filed.categories, self.filed.tags)


def blank(unit: UnitOfWork) -> Post:
    """A post of the caller's that is not stored yet; its id is 0."""
    principal, now = unit.principal, unit.host.clock.now()
    return Post(
        id=0, type="post", status=DRAFT, visibility="public", author_id=principal.user_id, title="", slug="",
        excerpt="", featured_image="", comment_status="open", is_featured=False, reading_time=1, view_count=0,
        ymyl=False, sources=[], ai_disclosure=None, original_notes=None, scheduled_at=None, published_at=None,
        created_at=now, updated_at=now, content_modified_at=now, content_hash="", reviewed_at=None,
        reviewed_by=None, reviewed_hash=None, approved_hash=None, password_hash=None, trashed_at=None, content="",
        author_name=principal.name,
    )  # fmt: skip


def planned(plan: Plan, before: Post, outline: Outline | None) -> Post:
    """The post with the planned changes; an excerpt that is left empty follows the content."""
    after = before._replace(**plan.changes)
    return after if after.excerpt or outline is None else after._replace(excerpt=excerpt(outline.text))


def stamped(unit: UnitOfWork, plan: Plan, before: State, after: State) -> State:
    """With the marks of what changed for readers, and of the review that was asked for."""
    post = _modified(before, after)
    if plan.reviewed:
        reviewer = unit.principal.user_id
        post = post._replace(reviewed_at=post.updated_at, reviewed_by=reviewer, reviewed_hash=post.content_hash)
    return State(post, after.filed)


def dated(before: Post | None, after: Post) -> Post:
    """With the moment since which it is in the trash, if it is there.

    :param before: None for a new post.
    """
    if after.status != TRASH:
        return after._replace(trashed_at=None)
    was_there = before is not None and before.status == TRASH
    return after if was_there else after._replace(trashed_at=after.updated_at)


def _modified(before: State, after: State) -> Post:
    """With the hash of what readers see; `content_modified_at` strictly grows, and only when that changes."""
    post, facing = after.post, after.facing
    if before.post.id and facing == before.facing:
        return post
    now = post.updated_at
    modified = max(now, before.post.content_modified_at + 1) if before.post.id else now
    return post._replace(content_hash=facing.digest, content_modified_at=modified)
