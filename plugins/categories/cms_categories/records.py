"""A category as clients see it (contract 5)."""

from typing import Any

from cms_categories.store import Category
from cms_host.api import local


def category_record(category: Category, published: int, zone: str) -> dict[str, Any]:
    """The record of one category.

    :param published: how many published posts are in it.
    :param zone: the site's, for its dates and times.
    """
    return {
        "id": category.id,
        "name": category.name,
        "slug": category.slug,
        "description": category.description,
        "parent_id": category.parent_id,
        "post_count": published,
        "created_at": local(category.created_at, zone),
        "updated_at": local(category.updated_at, zone),
    }
