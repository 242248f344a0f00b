"""A comment as it is stored."""

from typing import NamedTuple

PENDING = "pending"
APPROVED = "approved"
SPAM = "spam"
TRASH = "trash"
#: Contract 5.
STATUSES = (PENDING, APPROVED, SPAM, TRASH)
#: What a list holds that is not asked for anything else, as moderators expect it of WordPress.
LISTED = (PENDING, APPROVED)
#: What is deleted for good after a while (setting `comments.trash_days`).
DISCARDED = (SPAM, TRASH)


class Comment(NamedTuple):
    """One comment. Moments are microseconds since the epoch; the order of the fields is that of the store's columns."""

    id: int
    post_id: int
    #: The comment that it replies to, on the same post.
    parent_id: int | None
    status: str
    author_name: str
    #: Empty where it is not known, as the next one.
    author_email: str
    author_ip: str
    created_at: int
    #: Since when it has been in the trash, or spam; None for any other.
    discarded_at: int | None
    #: Sanitised HTML.
    content: str
