"""Accounts and keys as clients and operators see them."""

from typing import Any

from cms_host.api import local
from cms_users.key_store import Key
from cms_users.store import User


def user_record(user: User, zone: str) -> dict[str, Any]:
    return {
        "id": user.id,
        "username": user.username,
        "name": user.name,
        "email": user.email,
        "role": user.role,
        "active": user.active,
        "email_verified": user.email_verified,
        "created_at": local(user.created_at, zone),
        "last_login_at": _local_or_none(user.last_login_at, zone),
    }


def key_record(key: Key, zone: str) -> dict[str, Any]:
    return {
        "id": key.id,
        "user": key.username,
        "name": key.name,
        "key": key.mask,
        "active": key.active,
        "expires_at": _local_or_none(key.expires_at, zone),
        "created_at": local(key.created_at, zone),
        "last_used_at": _local_or_none(key.last_used_at, zone),
        "revoked_at": _local_or_none(key.revoked_at, zone),
    }


def _local_or_none(micros: int | None, zone: str) -> str | None:
    return None if micros is None else local(micros, zone)
