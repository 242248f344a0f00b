"""What neighbours may know of posts."""

from sqlalchemy import column, table

from cms_host.api import Id
from cms_posts.addresses import permalink
from cms_posts.gate_reports import GateFigures, gate_figures
from cms_posts.listed_walk import ListedPosts, texts_of
from cms_posts.local_images import cover_path, image_path
from cms_posts.visible import Looked, Viewer, posts, read_by, seen_by, viewer_of

__all__ = [
    "GateFigures",
    "ListedPosts",
    "Looked",
    "Viewer",
    "cover_path",
    "gate_figures",
    "image_path",
    "permalink",
    "post_tags",
    "posts",
    "read_by",
    "seen_by",
    "texts_of",
    "viewer_of",
]

#: Read-only, for joins: which posts carry which tags, with what tells whether the post is to be seen (see `Looked`).
post_tags = table("post_tags", column("tag_id", Id), column("post_id", Id), column("status"), column("visibility"))
