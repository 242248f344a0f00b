"""Who may see a post, and who may change it (contract 4, Who sees what)."""

from cms_host.api import InsufficientRole, NotYours, Principal, Role
from cms_posts.post import PRIVATE, PROTECTED, PUBLISHED, Post


def may_see(principal: Principal, post: Post) -> bool:
    """Whether the post exists for the caller."""
    return _is_privileged(principal, post) or (post.status == PUBLISHED and post.visibility != PRIVATE)


def closed(principal: Principal, post: Post) -> Post:
    """The post as it is shown without its password."""
    if post.visibility != PROTECTED or _is_privileged(principal, post):
        return post
    return post._replace(content="", excerpt="")


def check_may_change(principal: Principal, post: Post) -> None:
    """:raises InsufficientRole: the caller changes no posts at all, or no pages. :raises NotYours: it is another's."""
    if principal.role < Role.AUTHOR or (post.type == "page" and not principal.is_editor):
        raise InsufficientRole
    if not _is_privileged(principal, post):
        raise NotYours


def _is_privileged(principal: Principal, post: Post) -> bool:
    return principal.is_editor or (principal.role >= Role.AUTHOR and post.author_id == principal.user_id)
