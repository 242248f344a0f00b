"""The response envelope (spec, Response envelope). Every JSON answer is made here."""

from collections.abc import Sequence
from typing import Any

import orjson
from aiohttp import web

from cms_host.errors import ApiError

JSON = "application/json"
#: `per_page` of a list that was asked for none (spec: an empty list is shown with 20).
DEFAULT_PER_PAGE = 20


def ok(data: Any, status: int = 200) -> web.Response:
    """A success."""
    return serialised(orjson.dumps({"success": True, "data": data}), status)


def serialised(body: bytes, status: int) -> web.Response:
    """An answer that is JSON already."""
    return web.Response(body=body, status=status, content_type=JSON)


def page(items: Sequence[Any], total: int, current_page: int, per_page: int) -> dict[str, Any]:
    """The `data` of a paged list; `current_page` counts from 1."""
    pages = -(-total // per_page)
    return {"items": items, "total": total, "pages": pages, "current_page": current_page, "per_page": per_page}


def failure(error: ApiError) -> web.Response:
    """An error."""
    return serialised(orjson.dumps(error.body()), error.status)
