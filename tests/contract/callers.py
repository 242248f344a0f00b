"""What the five callers send, and what is made of their answers."""

from collections.abc import Mapping
from typing import Any

from cms_host.testing import Answer, Client, Site
from cms_media.testing import form

#: Refused for its type and its syntax: what is checked before the body never sees any of it.
BROKEN: Mapping[str, Any] = {"data": b"{" * 3000, "headers": {"Content-Type": "text/plain"}}


async def client_of(site: Site, caller: str) -> Client:
    return site.anonymous if caller == "nobody" else await site.client(caller)


def refused(answer: Answer) -> tuple[int, str]:
    """The status and the message of an error."""
    return answer.status, answer.error["message"]


def sending(body: Mapping[str, Any] | None) -> dict[str, Any]:
    """The options of a request with this body, or with none: JSON, or the form that a file comes in."""
    if body is None:
        return {}
    return {"data": form(**body)} if "file" in body else {"json": body}
