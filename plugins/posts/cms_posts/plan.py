"""From a request body to what is to be written: all that needs no transaction happens here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cms_host.api import (
    Candidate,
    FieldError,
    FieldErrors,
    InsufficientRole,
    SentIds,
    TooLarge,
    UnitOfWork,
    parse_moment,
    plain_text,
)
from cms_posts.guards import ContentTooComplex, check_content
from cms_posts.outline import Outline
from cms_posts.passwords import hash_password, is_sendable
from cms_posts.post import DRAFT, PROTECTED, PUBLISHED, SCHEDULED, Post
from cms_posts.process import Processed, process_content
from cms_posts.settings import EMBED_HOSTS, MAX_CONTENT_BYTES
from cms_posts.warnings import discarded, sanitized
from cms_users.api import Accounts

#: Only one transaction at a time, over all hosts, may be about to publish.
PUBLISH_LOCK = "posts.publish"
#: Body fields that are fields of a post just as they are.
_AS_SENT = ("status", "type", "visibility", "comment_status", "is_featured")
_PLAIN = ("title", "excerpt", "featured_image")


@dataclass(frozen=True, slots=True)
class Plan:
    """One write, ready to be carried out inside a transaction."""

    #: None for a new post.
    post_id: int | None
    #: The lock under which it must be carried out.
    lock: str | None
    #: What asked for it; reaches the gate's rules and its reports.
    trigger: str
    #: New values of fields of a `Post`.
    changes: Mapping[str, Any] = field(default_factory=dict)
    #: The slug that was asked for; None leaves it to the title, or as it is.
    slug: str | None = None
    #: What the worker saw in new content; None where the content stays.
    outline: Outline | None = None
    #: Keys of the SEO object that change; None takes a key back.
    seo: Mapping[str, Any] = field(default_factory=dict)
    #: Ids of categories and names of tags that it is to have; None leaves them as they are.
    categories: tuple[int, ...] | None = None
    tags: tuple[str, ...] | None = None
    #: What was sent as a category and is no id.
    not_categories: tuple[Any, ...] = ()
    #: The caller vouches for what is being saved.
    reviewed: bool = False
    #: The `content_modified_at` that the caller has seen; None does not care.
    expected: int | None = None
    warnings: tuple[dict[str, Any], ...] = ()
    #: What the gate's rules made ready, and the candidate that they made it for.
    prepared: Mapping[str, Any] | None = None
    prepared_for: Candidate | None = None


def plan_publish(before: Post, body: Mapping[str, Any]) -> Plan:
    """Publishing a post as it is."""
    return Plan(before.id, PUBLISH_LOCK, "publish", {"status": PUBLISHED}, expected=expected_state(body))


def plan_schedule(unit: UnitOfWork, before: Post, body: Mapping[str, Any]) -> Plan:
    """Publishing a post as it is, later; the gate runs then.

    :raises FieldErrors: 422: the time is not in the future.
    """
    return Plan(before.id, None, "schedule", _schedule(unit, before, body), expected=expected_state(body))


def plan_review(before: Post, body: Mapping[str, Any]) -> Plan:
    """Vouching for a post as it is. What is published stays so only through the gate, as after every write."""
    return Plan(before.id, _lock(before, {}), "review", reviewed=True, expected=expected_state(body))


async def plan_write(unit: UnitOfWork, before: Post | None, body: Mapping[str, Any]) -> Plan:
    """What a create (`before` is None) or an update with this body is going to write.

    :raises ApiError: the body asks for something that can't be.
    """
    _check_type(unit, body)
    changes: dict[str, Any] = {name: body[name] for name in _AS_SENT if name in body}
    changes |= {name: _plain(name, body[name]) for name in _PLAIN if name in body}
    changes |= _editorial(body.get("editorial", {}))
    changes |= _schedule(unit, before, body)
    changes |= await _password(unit, before, body)
    changes |= await _author(unit, body)
    sent = body.get("categories") or SentIds(())
    processed = await _process(unit, body)
    if processed is not None:
        changes |= {"content": processed.html, "reading_time": processed.reading_time}
    return Plan(
        post_id=None if before is None else before.id,
        lock=_lock(before, changes),
        trigger="create" if before is None else "update",
        changes=changes,
        slug=body.get("slug"),
        outline=None if processed is None else processed.outline,
        seo=body.get("seo", {}),
        categories=None if body.get("categories") is None else sent.ids,
        tags=None if body.get("tags") is None else tuple(map(plain_text, body["tags"])),
        reviewed=body.get("reviewed", False) and unit.principal.is_editor,
        expected=expected_state(body),
        not_categories=sent.others,
        warnings=(*discarded(_ignored(unit, body, changes)), *(sanitized(processed.removed) if processed else ())),
    )


def expected_state(body: Mapping[str, Any]) -> int | None:
    """The `content_modified_at` that the caller has seen; None where it does not say."""
    sent = body.get("expected_content_modified_at")
    return None if sent is None else parse_moment(sent, "UTC")


def _lock(before: Post | None, changes: Mapping[str, Any]) -> str | None:
    status = changes.get("status", before.status if before else DRAFT)
    return PUBLISH_LOCK if status == PUBLISHED else None


def _check_type(unit: UnitOfWork, body: Mapping[str, Any]) -> None:
    if body.get("type") == "page" and not unit.principal.is_editor:
        raise InsufficientRole


def _plain(name: str, value: str) -> str:
    text = plain_text(value).strip()
    if name == "title" and not text:
        raise FieldErrors([FieldError("title", "Must not be empty once its tags are removed.")])
    return text


def _editorial(sent: Mapping[str, Any]) -> dict[str, Any]:
    changes = dict(sent)
    for name in ("ai_disclosure", "original_notes"):
        if changes.get(name) is not None:
            changes[name] = plain_text(changes[name])
    if "sources" in changes:
        changes["sources"] = [text for text in (plain_text(each).strip() for each in changes["sources"]) if text]
    return changes


def _schedule(unit: UnitOfWork, before: Post | None, body: Mapping[str, Any]) -> dict[str, Any]:
    """`scheduled_at` wins over `status`; a `scheduled` status needs a future time, sent or stored (contract 4)."""
    sent = body.get("scheduled_at")
    if sent is None and body.get("status") != SCHEDULED:
        return {}
    time = parse_moment(sent, unit.host.timezone) if sent is not None else before.scheduled_at if before else None
    if time is None or time <= unit.host.clock.now():
        raise FieldErrors([FieldError("scheduled_at", "Must be a time in the future.")], 422)
    return {"status": SCHEDULED, "scheduled_at": time}


async def _password(unit: UnitOfWork, before: Post | None, body: Mapping[str, Any]) -> dict[str, Any]:
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


def _ignored(unit: UnitOfWork, body: Mapping[str, Any], changes: Mapping[str, Any]) -> list[str]:
    """Fields that were sent and mean nothing: for authors what editors decide, a password of what is open to all."""
    own = not unit.principal.is_editor
    author_id = own and body.get("author_id", unit.principal.user_id) != unit.principal.user_id
    found = {
        "author_id": author_id,
        "reviewed": own and body.get("reviewed", False),
        "password": body.get("password") and not changes.get("password_hash"),
    }
    return [name for name, is_ignored in found.items() if is_ignored]


async def _author(unit: UnitOfWork, body: Mapping[str, Any]) -> dict[str, Any]:
    """`author_id` is honoured for editors and above, and stripped for authors (spec, POST /posts)."""
    if "author_id" not in body or not unit.principal.is_editor:
        return {}
    if not await unit.get(Accounts).exists(body["author_id"]):
        raise FieldErrors([FieldError("author_id", "There is no user with this id.")], 422)
    return {"author_id": body["author_id"]}


async def _process(unit: UnitOfWork, body: Mapping[str, Any]) -> Processed | None:
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
