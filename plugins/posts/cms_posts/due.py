"""What makes a scheduled post due."""

from cms_posts.post import SCHEDULED, Post


class NotDue(Exception):
    """The post is not scheduled for this moment any more."""


def check_due(post: Post, due: int | None) -> None:
    """:raises NotDue: the post is not scheduled, or for another moment."""
    if post.status != SCHEDULED or post.scheduled_at != due:
        raise NotDue
