"""Health as clients see it."""

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from cms_health.checks import Result
from cms_health.schemas import DEGRADED, OK
from cms_host.api import Principal, Role, local

VERSION = version("cms-host")


def health_record(results: Mapping[str, Result], principal: Principal, now: int, zone: str) -> dict[str, Any]:
    """What a caller may know: all of them how each part is, administrators also why."""
    well = all(result.status == OK for result in results.values())
    shown = Result._fields if principal.role >= Role.ADMIN else ("status",)
    return {
        "status": OK if well else DEGRADED,
        "version": VERSION,
        "time": local(now, zone),
        "key": key_record(principal, zone),
        "checks": {name: {field: getattr(result, field) for field in shown} for name, result in results.items()},
    }


def key_record(principal: Principal, zone: str) -> dict[str, Any]:
    expires_at = principal.key_expires_at
    return {
        "name": principal.key_name,
        "owner": principal.username,
        "role": principal.role.label,
        "expires_at": None if expires_at is None else local(expires_at, zone),
    }
