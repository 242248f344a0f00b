"""What neighbours may know of posts."""

from cms_posts.addresses import permalink
from cms_posts.gate_reports import GateFigures, gate_figures
from cms_posts.listed_walk import ListedPosts, texts_of

__all__ = ["GateFigures", "ListedPosts", "gate_figures", "permalink", "texts_of"]
