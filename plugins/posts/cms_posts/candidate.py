"""A post as the gate's rules see it."""

from dataclasses import replace

from cms_host.api import Candidate, fold
from cms_posts.outline import Outline
from cms_posts.post import SCHEDULED, Post


def make_candidate(before: Post, post: Post, outline: Outline, trigger: str) -> Candidate:
    """The candidate for publishing this state of a post; its id is None while it has none (0).

    :param before: the post as it is stored.
    """
    return Candidate(
        post_id=post.id or None,
        type=post.type,
        title=post.title,
        folded_title=fold(post.title),
        html=post.content,
        text=outline.text,
        headings=outline.headings,
        links=outline.links,
        images=outline.images,
        cover=post.featured_image,
        ymyl=post.ymyl,
        sources=tuple(post.sources),
        reviewed_at=post.reviewed_at,
        reviewed_hash=post.reviewed_hash,
        content_hash=post.content_hash,
        trigger=trigger,
        due_at=before.scheduled_at if before.status == SCHEDULED else None,
    )


def is_same_content(one: Candidate, other: Candidate) -> bool:
    """Whether a rule that prepared for one candidate is ready for the other.

    The hashes depend on the slug, which is only known inside the transaction; no preparation can build on them.
    """
    unstamped = {"post_id": None, "content_hash": "", "reviewed_at": None, "reviewed_hash": None}
    return replace(one, **unstamped) == replace(other, **unstamped)  # type: ignore[arg-type] # of mixed types
