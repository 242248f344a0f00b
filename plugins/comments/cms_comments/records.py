"""A comment as clients see it (contract 5)."""

from typing import Any

from cms_comments.comment import Comment
from cms_host.api import Principal, local


def comment_record(comment: Comment, caller: Principal, zone: str) -> dict[str, Any]:
    """The record of one comment; address and IP of whoever wrote it are for editors alone.

    :param zone: the site's, for its dates and times.
    """
    private = {"author_email": comment.author_email, "author_ip": comment.author_ip} if caller.is_editor else {}
    return {
        "id": comment.id,
        "post_id": comment.post_id,
        "parent_id": comment.parent_id,
        "author_name": comment.author_name,
        **private,
        "content": comment.content,
        "status": comment.status,
        "created_at": local(comment.created_at, zone),
    }
