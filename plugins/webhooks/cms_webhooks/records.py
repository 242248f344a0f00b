"""What the actions answer."""

from collections.abc import Mapping, Sequence
from typing import Any

from cms_content_queue.api import PendingItem
from cms_host.api import ApiError, Principal, Role, local


def actions_record(actions: Mapping[str, Role]) -> dict[str, Any]:
    """The actions there are, and whose they are."""
    return {
        "actions": [
            {"name": name, "method": "POST", "path": f"/api/v1/webhook/{name}", "role": role.label}
            for name, role in actions.items()
        ]
    }


def connection_record(caller: Principal, now: int, zone: str) -> dict[str, Any]:
    """Who we take the caller for (contract 6, test)."""
    return {
        "ok": True,
        "authenticated_by": caller.authenticated_by,
        "header": caller.header,
        "role": caller.role.label,
        "time": local(now, zone),
    }


def pending_record(item: PendingItem, zone: str) -> dict[str, Any]:
    """One item of the content queue."""
    return {
        "id": item.id,
        "title": item.title,
        "source": item.source,
        "format": item.format,
        "created_at": local(item.created_at, zone),
    }


def written_item(data: Mapping[str, Any]) -> dict[str, Any]:
    """What a result says of a post that was written. :param data: what a create answers."""
    return {"id": data["id"], "status": data["post"]["status"]}


def failed_record(index: int, error: ApiError) -> dict[str, Any]:
    """The result of an item that was not written: the reasons of the gate, or the error of any other refusal."""
    return {"index": index, "blocks": [], **error.body()}


def batch_record(results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What became of all items."""
    succeeded = sum(result["success"] for result in results)
    return {
        "total": len(results),
        "succeeded": succeeded,
        "failed": len(results) - succeeded,
        "results": results,
    }
