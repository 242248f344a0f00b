"""What neighbours may know of posts."""

from cms_posts.addresses import permalink
from cms_posts.gate_reports import GateFigures, gate_figures
from cms_posts.listed_walk import ListedPosts, texts_of
from cms_posts.local_images import cover_path, image_path

__all__ = ["GateFigures", "ListedPosts", "cover_path", "gate_figures", "image_path", "permalink", "texts_of"]
