"""What receivers are told of posts (contract 7)."""

from dataclasses import dataclass, fields
from typing import Any

from cms_host.api import Event, Host, UnitOfWork, emit, iso, local
from cms_posts.addresses import permalink
from cms_posts.outcome import State
from cms_posts.post import PUBLIC, PUBLISHED, Post
from cms_posts.revisions import changed_fields


@dataclass(frozen=True, slots=True)
class PostPublished(Event):
    """A post becomes published, whoever or whatever publishes it."""

    kind = "post_published"
    id: int
    title: str
    slug: str
    type: str
    status: str
    visibility: str
    url: str
    author_id: int
    author_name: str
    #: Empty where not everybody may read the post.
    excerpt: str
    featured_image: str
    published_at: str | None
    content_modified_at: str


@dataclass(frozen=True, slots=True)
class PostUpdated(PostPublished):
    """What readers see of a published post changes, or it is published no longer, other than by DELETE."""

    kind = "post_updated"
    changed_fields: list[str]


@dataclass(frozen=True, slots=True)
class PostDeleted(Event):
    """DELETE moves a post to the trash, or removes it for good (`permanent`)."""

    kind = "post_deleted"
    id: int
    title: str
    slug: str
    type: str
    permanent: bool


_NAMES = [each.name for each in fields(PostPublished)]


async def tell_of_change(unit: UnitOfWork, before: State | None, after: State) -> None:
    """Emit what a write that was no DELETE means for readers.

    :param before: None for a new post.
    """
    was, now = before is not None and before.post.status == PUBLISHED, after.post.status == PUBLISHED
    if now and not was:
        await emit(unit, PostPublished(**_shown(unit.host, after.post)))
    elif was and before is not None:
        changed = changed_fields(before.facing, after.facing) + ([] if now else ["status"])
        if changed:
            await emit(unit, PostUpdated(**_shown(unit.host, after.post), changed_fields=changed))


async def tell_of_deletion(unit: UnitOfWork, post: Post, *, permanent: bool) -> None:
    """Emit what a DELETE did."""
    await emit(unit, PostDeleted(post.id, post.title, post.slug, post.type, permanent))


def _shown(host: Host, post: Post) -> dict[str, Any]:
    shown: dict[str, Any] = {name: getattr(post, name, None) for name in _NAMES}
    published_at = post.published_at
    return shown | {
        "url": permalink(host, post),
        "excerpt": post.excerpt if post.visibility == PUBLIC else "",
        "published_at": None if published_at is None else local(published_at, host.timezone),
        "content_modified_at": iso(post.content_modified_at, host.timezone),
    }
