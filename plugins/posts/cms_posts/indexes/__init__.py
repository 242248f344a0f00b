"""What posts keep beside the posts themselves, each part with its laws and with the way to make it anew."""

from collections.abc import Sequence

from cms_host.api import StoredIndex
from cms_posts.indexes.filed import FiledIndex
from cms_posts.indexes.outlined import OutlineIndex
from cms_posts.indexes.searched import SearchIndex
from cms_posts.indexes.shown import ShownIndex
from cms_posts.indexes.slugs import SlugIndex
from cms_posts.indexes.totals import TotalIndex
from cms_posts.relations import CATEGORY, TAG


def stored_indexes(base_url: str) -> Sequence[StoredIndex]:
    """All of them; others are made from the outlines, so they come first."""
    return [
        OutlineIndex(),
        ShownIndex(base_url),
        SlugIndex(),
        TotalIndex(),
        FiledIndex("posts.categories", CATEGORY),
        FiledIndex("posts.tags", TAG),
        SearchIndex(),
    ]
