"""The list's query parameters as the list that they ask for (spec, GET /api/v1/posts; contract 3)."""

from collections.abc import Mapping
from typing import Any

from cms_host.api import paging, parse_moment
from cms_posts.listing import ORDERS, Wanted


def wanted(sent: Mapping[str, Any], zone: str) -> Wanted:
    """What a client asked for, within its bounds."""
    filters: dict[str, Any] = {name: sent[name] for name in ("status", "type", "author_id") if name in sent}
    if sent.get("featured") == 1:
        filters["featured"] = True
    for name in ("date_from", "date_to", "updated_before"):
        if name in sent:
            filters[name] = parse_moment(sent[name], zone, end_of_day=name == "date_to")
    return Wanted(
        filters=filters,
        order_by=_order(sent),
        ascending=sent.get("order_dir", "").lower() == "asc",
        paging=paging(sent),
    )


def _order(sent: Mapping[str, Any]) -> str:
    """Unsent is newest first; a name that is no order is `id` (spec)."""
    name = sent.get("order_by", "created_at")
    return name if name in ORDERS else "id"
