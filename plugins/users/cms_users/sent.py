"""From what a request holds to what the service takes."""

from collections.abc import Mapping
from typing import Any

from cms_host.api import FieldError, FieldErrors, Role, fold
from cms_users.store import Filter


def wanted(sent: Mapping[str, Any]) -> Filter:
    """What the query of the list asks for."""
    active = sent["active"] in ("true", "1") if "active" in sent else None
    return Filter(sent.get("role", ()), active, fold(sent.get("search", "")))


def new_account(sent: Mapping[str, Any]) -> dict[str, Any]:
    """The body of a new account, as the arguments that make it."""
    return {**sent, "role": Role.named(sent.get("role", Role.SUBSCRIBER.label))}


def heir_of(body: Mapping[str, Any], query: Mapping[str, Any]) -> int | None:
    """Who is to get what an account owns, from the body or from the query.

    :raises FieldErrors: 422, they name two.
    """
    named: set[int] = {sent["reassign_to"] for sent in (body, query) if "reassign_to" in sent}
    if len(named) > 1:
        raise FieldErrors([FieldError("reassign_to", "Must be the same in the body and in the query.")], 422)
    return named.pop() if named else None
