"""What makes a post due: to come out, or to be deleted for good."""

from cms_posts.post import SCHEDULED, Post


class NotDue(Exception):
    """The post is not scheduled for this moment any more."""


def check_due(post: Post, due: int | None) -> None:
    """:raises NotDue: the post is not scheduled, or for another moment."""
    if post.status != SCHEDULED or post.scheduled_at != due:
        raise NotDue


class NotExpired(Exception):
    """The post has not been in the trash for so long."""


def check_expired(post: Post, before: int) -> None:
    """:raises NotExpired: the post is not in the trash, or came there after this moment."""
    if post.trashed_at is None or post.trashed_at > before:
        raise NotExpired
