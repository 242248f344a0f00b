"""A post that is read much."""

from typing import NamedTuple


class TrendingPost(NamedTuple):
    """A post, how often it was viewed, and how often in the period before."""

    post_id: int
    title: str
    slug: str
    views: int
    previous_views: int
