"""The list's query parameters as the list that they ask for (spec, GET /api/v1/posts; contract 3 and 10)."""

from collections.abc import Mapping
from typing import Any

from cms_host.api import FieldError, FieldErrors, Terms, paging, parse_moment, parse_terms
from cms_posts.listing import ORDERS, Cursor, Wanted

_AS_SENT = ("type", "author_id", "ids", "slug")
#: Parameters with one value or several, and the filter's name for several.
_SEVERAL = {"status": "statuses", "category": "categories", "tag": "tags"}
_MOMENTS = ("date_from", "date_to", "updated_before", "updated_after", "content_modified_after")


def wanted(sent: Mapping[str, Any], zone: str) -> Wanted:
    """What a client asked for, within its bounds.

    :raises FieldErrors: 422: parameters that do not go together, or too much to look for.
    """
    return Wanted(
        filters=_filters(sent, zone),
        paging=paging(sent),
        search=_terms(sent.get("search", "")),
        order_by=_order(sent),
        ascending=sent.get("order_dir", "").lower() == "asc",
        fields=sent.get("chosen"),
        with_relations=sent.get("with_relations") == 1,
        with_total=sent.get("with_total") != 0,
        cursor=(cursor := _cursor(sent)),
        cursor_id=sent[cursor] if cursor else 0,
    )


def _filters(sent: Mapping[str, Any], zone: str) -> dict[str, Any]:
    filters: dict[str, Any] = {name: sent[name] for name in _AS_SENT if name in sent}
    for one, several in _SEVERAL.items():
        if one in sent:
            values = sent[one]
            filters |= {one: values[0]} if len(values) == 1 else {several: values}
    if sent.get("featured") == 1:
        filters["featured"] = True
    for name in _MOMENTS:
        if name in sent:
            filters[name] = parse_moment(sent[name], zone, end_of_day=name == "date_to")
    return filters


def _terms(text: str) -> Terms:
    try:
        return parse_terms(text)
    except ValueError as error:
        raise FieldErrors([FieldError("search", str(error))], 422) from error


def _order(sent: Mapping[str, Any]) -> str:
    """Unsent is newest first; a name that is no order is `id` (spec)."""
    name = sent.get("order_by", "created_at")
    return name if name in ORDERS else "id"


def _cursor(sent: Mapping[str, Any]) -> Cursor | None:
    """Which of the two cursors was sent; both at once, or another order than that of ids, is 422 (contract 10)."""
    names: list[Cursor] = [name for name in ("after_id", "before_id") if name in sent]
    if len(names) == 2:
        raise FieldErrors([FieldError("before_id", "Must not come together with after_id.")], 422)
    if names and _order(sent) != "id":
        raise FieldErrors([FieldError(names[0], "Needs order_by=id.")], 422)
    return names[0] if names else None
