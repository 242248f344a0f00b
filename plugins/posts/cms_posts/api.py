"""What neighbours may know of posts."""

from cms_posts.addresses import permalink
from cms_posts.gate_reports import GateFigures, gate_figures

__all__ = ["GateFigures", "gate_figures", "permalink"]
