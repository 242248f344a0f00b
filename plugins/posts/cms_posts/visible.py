"""Who sees which posts, as conditions of statements: what `cms_posts.sight` says of one post (contract 4)."""

from typing import Any, Literal, NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, column, literal_column, or_, table, true

from cms_host.api import Ascii, Id, Instant, Principal, Role

#: Who looks: editors at everything, authors at what is published and their own, others at what is published.
Viewer = Literal["editor", "author", "reader"]
#: Read-only, for joins.
posts = table(
    "posts",
    column("id", Id),
    column("type"),
    column("status"),
    column("visibility"),
    column("author_id", Id),
    column("title"),
    column("slug", Ascii),
    column("published_at", Instant),
    column("content_modified_at", Instant),
)
#: Written into the SQL, so that a planner can tell that a partial index fits.
_PUBLISHED: ColumnElement[str] = literal_column("'published'")
_PRIVATE: ColumnElement[str] = literal_column("'private'")
_PROTECTED: ColumnElement[str] = literal_column("'password'")


class Looked(NamedTuple):
    """The columns by which it is told who sees a post; a statement may have better ones than those of `posts`."""

    status: ColumnElement[Any] = posts.c.status
    visibility: ColumnElement[Any] = posts.c.visibility
    author_id: ColumnElement[Any] = posts.c.author_id


POSTS = Looked()


def viewer_of(principal: Principal) -> Viewer:
    """The kind of viewer that a caller is. A statement for one is another one for each kind, so there are three."""
    if principal.role < Role.AUTHOR:
        return "reader"
    return "editor" if principal.is_editor else "author"


def seen_by(viewer: Viewer, looked: Looked = POSTS) -> ColumnElement[bool]:
    """The posts that exist for a viewer. Needs the parameter `viewer_id`, the caller's account."""
    return _shown(viewer, looked, looked.visibility != _PRIVATE)


def read_by(viewer: Viewer, looked: Looked = POSTS) -> ColumnElement[bool]:
    """Of these, the posts whose text is open to the viewer without a password. Needs `viewer_id`, too."""
    return _shown(viewer, looked, and_(looked.visibility != _PRIVATE, looked.visibility != _PROTECTED))


def _shown(viewer: Viewer, looked: Looked, is_open: ColumnElement[bool]) -> ColumnElement[bool]:
    if viewer == "editor":
        return true()
    public = and_(looked.status == _PUBLISHED, is_open)
    return public if viewer == "reader" else or_(public, looked.author_id == bindparam("viewer_id", type_=Id))
