"""From the fields of a request body to values of a post's fields, each judged by itself."""

from collections.abc import Mapping
from typing import Any

from cms_host.api import FieldError, FieldErrors, InsufficientRole, TooLarge, UnitOfWork, parse_moment, plain_text
from cms_posts.guards import ContentTooComplex, check_content
from cms_posts.local_images import normal_cover
from cms_posts.passwords import hash_password, is_sendable
from cms_posts.post import PROTECTED, SCHEDULED, Post
from cms_posts.process import Processed, process_content
from cms_posts.settings import EMBED_HOSTS, MAX_CONTENT_BYTES
from cms_users.api import Accounts

#: Body fields that are fields of a post just as they are.
_AS_SENT = ("status", "type", "visibility", "comment_status", "is_featured")
_PLAIN = ("title", "excerpt", "featured_image")


def check_type(unit: UnitOfWork, body: Mapping[str, Any]) -> None:
    """:raises InsufficientRole: pages are for editors and above (contract 4)."""
    if body.get("type") == "page" and not unit.principal.is_editor:
        raise InsufficientRole


def plain_changes(unit: UnitOfWork, body: Mapping[str, Any]) -> dict[str, Any]:
    """Fields that are stored as they were sent, or as plain text (contract 3); a cover as its path, if it has one."""
    changes: dict[str, Any] = {name: body[name] for name in _AS_SENT if name in body}
    changes |= {name: _plain(name, body[name]) for name in _PLAIN if name in body}
    if "featured_image" in changes:
        changes["featured_image"] = normal_cover(changes["featured_image"], unit.host.config.base_url)
    return changes


def _plain(name: str, value: str) -> str:
    text = plain_text(value).strip()
    if name == "title" and not text:
        raise FieldErrors([FieldError("title", "Must not be empty once its tags are removed.")])
    return text


def editorial_changes(sent: Mapping[str, Any]) -> dict[str, Any]:
    """The editorial object's keys; its texts are plain, and blank sources are none."""
    changes = dict(sent)
    for name in ("ai_disclosure", "original_notes"):
        if changes.get(name) is not None:
            changes[name] = plain_text(changes[name])
    if "sources" in changes:
        changes["sources"] = [text for text in (plain_text(each).strip() for each in changes["sources"]) if text]
    return changes


def schedule_changes(unit: UnitOfWork, before: Post | None, body: Mapping[str, Any]) -> dict[str, Any]:
    """`scheduled_at` wins over `status`; a `scheduled` status needs a future time, sent or stored (contract 4)."""
    sent = body.get("scheduled_at")
    if sent is None and body.get("status") != SCHEDULED:
        return {}
    time = parse_moment(sent, unit.host.timezone) if sent is not None else before.scheduled_at if before else None
    if time is None or time <= unit.host.clock.now():
        raise FieldErrors([FieldError("scheduled_at", "Must be a time in the future.")], 422)
    return {"status": SCHEDULED, "scheduled_at": time}


async def password_changes(unit: UnitOfWork, before: Post | None, body: Mapping[str, Any]) -> dict[str, Any]:
    """The hash of a password that was sent. One that comes without a visibility asks for visibility `password`."""
    sent = body.get("password")
    kept = None if before is None else before.visibility
    visibility = body.get("visibility", PROTECTED if sent else kept)
    if visibility != PROTECTED:
        return {"password_hash": None}
    if sent and not is_sendable(sent):
        raise FieldErrors(
            [FieldError("password", "Must be text that a header can carry, without blanks around it.")], 422
        )
    if sent:
        return {"visibility": PROTECTED, "password_hash": await unit.host.workers.run(hash_password, sent)}
    if sent is not None or before is None or before.password_hash is None:
        raise FieldErrors([FieldError("password", "Must be given for a post that a password opens.")], 422)
    return {}


def ignored_fields(unit: UnitOfWork, body: Mapping[str, Any], changes: Mapping[str, Any]) -> list[str]:
    """Fields that were sent and mean nothing: for authors what editors decide, a password of what is open to all."""
    own = not unit.principal.is_editor
    author_id = own and body.get("author_id", unit.principal.user_id) != unit.principal.user_id
    found = {
        "author_id": author_id,
        "reviewed": own and body.get("reviewed", False),
        "password": body.get("password") and not changes.get("password_hash"),
    }
    return [name for name, is_ignored in found.items() if is_ignored]


async def author_changes(unit: UnitOfWork, body: Mapping[str, Any]) -> dict[str, Any]:
    """`author_id` is honoured for editors and above, and stripped for authors (spec, POST /posts)."""
    if "author_id" not in body or not unit.principal.is_editor:
        return {}
    if not await unit.get(Accounts).exists(body["author_id"]):
        raise FieldErrors([FieldError("author_id", "There is no user with this id.")], 422)
    return {"author_id": body["author_id"]}


async def processed_content(unit: UnitOfWork, body: Mapping[str, Any]) -> Processed | None:
    """New content as the worker made it; None where none was sent.

    :raises TooLarge: over the setting's bytes. :raises FieldErrors: too complex (422), or nothing is left of it (400).
    """
    if "content" not in body:
        return None
    host, content = unit.host, body["content"]
    limit = host.settings[MAX_CONTENT_BYTES]
    if len(content.encode()) > limit:
        raise TooLarge(f"content is larger than {limit} bytes (setting {MAX_CONTENT_BYTES.key})")
    hosts = host.settings[EMBED_HOSTS]
    try:
        check_content(content)
        processed: Processed = await host.workers.run(process_content, content, body.get("content_format"), hosts)
    except ContentTooComplex as error:
        raise FieldErrors([FieldError("content", str(error))], 422) from error
    if not processed.html.strip():
        raise FieldErrors([FieldError("content", "Nothing is left of it once it is sanitised.")])
    return processed
