"""From a request body to what is to be written: all that needs no transaction happens here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cms_host.api import Candidate, SentIds, UnitOfWork, parse_moment, plain_text
from cms_posts.outline import Outline
from cms_posts.post import DRAFT, PENDING, PUBLISHED, Post
from cms_posts.sent import (
    author_changes,
    check_type,
    editorial_changes,
    ignored_fields,
    password_changes,
    plain_changes,
    processed_content,
    schedule_changes,
)
from cms_posts.warnings import discarded, sanitized

#: Only one transaction at a time, over all hosts, may be about to publish.
PUBLISH_LOCK = "posts.publish"
#: What asks for the publish of a post that is due.
SCHEDULER = "scheduler"
#: What asks for a post to be moved to the trash, or removed.
DELETE = "delete"


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
    #: Names of categories that are to be made, and are then its own as well.
    new_categories: tuple[str, ...] = ()
    #: The caller vouches for what is being saved.
    reviewed: bool = False
    #: The `content_modified_at` that the caller has seen; None does not care.
    expected: int | None = None
    #: For the scheduler, which acts for nobody: the post must still be scheduled for this moment.
    due: int | None = None
    #: For the job that empties the trash, which acts for nobody, too: the post must have been there since then.
    trashed_before: int | None = None
    warnings: tuple[dict[str, Any], ...] = ()
    #: What the gate's rules made ready, and the candidate that they made it for.
    prepared: Mapping[str, Any] | None = None
    prepared_for: Candidate | None = None


def plan_publish(before: Post, body: Mapping[str, Any]) -> Plan:
    """Publishing a post as it is."""
    return Plan(before.id, PUBLISH_LOCK, "publish", {"status": PUBLISHED}, expected=expected_state(body))


def plan_due(post_id: int, due: int) -> Plan:
    """Publishing a post whose time has come."""
    return Plan(post_id, PUBLISH_LOCK, SCHEDULER, {"status": PUBLISHED}, due=due)


def plan_pending(post_id: int, due: int) -> Plan:
    """Giving a post whose time has come back to its editors."""
    return Plan(post_id, None, SCHEDULER, {"status": PENDING}, due=due)


def plan_schedule(unit: UnitOfWork, before: Post, body: Mapping[str, Any]) -> Plan:
    """Publishing a post as it is, later; the gate runs then.

    :raises FieldErrors: 422: the time is not in the future.
    """
    return Plan(before.id, None, "schedule", schedule_changes(unit, before, body), expected=expected_state(body))


def plan_review(before: Post, body: Mapping[str, Any]) -> Plan:
    """Vouching for a post as it is. What is published stays so only through the gate, as after every write."""
    return Plan(before.id, _lock(before, {}), "review", reviewed=True, expected=expected_state(body))


async def plan_write(unit: UnitOfWork, before: Post | None, body: Mapping[str, Any]) -> Plan:
    """What a create (`before` is None) or an update with this body is going to write.

    :raises ApiError: the body asks for something that can't be.
    """
    check_type(unit, body)
    changes = plain_changes(unit, body)
    changes |= editorial_changes(body.get("editorial", {}))
    changes |= schedule_changes(unit, before, body)
    changes |= await password_changes(unit, before, body)
    changes |= await author_changes(unit, body)
    sent = body.get("categories") or SentIds(())
    processed = await processed_content(unit, body)
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
        warnings=(
            *discarded(ignored_fields(unit, body, changes)),
            *(sanitized(processed.removed) if processed else ()),
        ),
    )


def expected_state(body: Mapping[str, Any]) -> int | None:
    """The `content_modified_at` that the caller has seen; None where it does not say."""
    sent = body.get("expected_content_modified_at")
    return None if sent is None else parse_moment(sent, "UTC")


def _lock(before: Post | None, changes: Mapping[str, Any]) -> str | None:
    status = changes.get("status", before.status if before else DRAFT)
    return PUBLISH_LOCK if status == PUBLISHED else None
