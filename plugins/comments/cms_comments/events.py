"""What receivers are told of comments (contract 7)."""

from dataclasses import dataclass

from cms_host.api import Event


@dataclass(frozen=True, slots=True)
class CommentCreated(Event):
    """Somebody comments on a post; whether everybody sees the comment is another matter, which `status` tells."""

    kind = "comment_created"
    id: int
    post_id: int
    author_name: str
    status: str
