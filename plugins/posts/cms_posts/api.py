"""What neighbours may know of posts."""

from cms_posts.addresses import permalink

__all__ = ["permalink"]
