"""What neighbours may know of posts."""

from cms_posts.addresses import permalink
from cms_posts.listed_walk import ListedPosts, texts_of

__all__ = ["ListedPosts", "permalink", "texts_of"]
