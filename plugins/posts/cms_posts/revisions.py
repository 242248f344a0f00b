"""What a post was before each change that readers could see, and the way back to it (contract 4)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from cms_host.api import NotFound, Paging, SentIds, UnitOfWork, local
from cms_posts import revision_store
from cms_posts.plan import Plan, plan_write
from cms_posts.post import Facing, Post
from cms_posts.revision_store import Revision
from cms_posts.settings import REVISIONS_KEPT
from cms_posts.warnings import unknown_tags

#: Fields that have a column of their own.
_COLUMNS = ("title", "slug", "excerpt", "content")
#: Fields that are called otherwise in a post's record.
_CALLED = {name: f"editorial.{name}" for name in ("sources", "ai_disclosure")}


class Found(NamedTuple):
    """A page of revisions, and how many there are in all."""

    revisions: list[Revision]
    total: int


async def find_page(unit: UnitOfWork, post: Post, paging: Paging) -> Found:
    """The revisions of a post, newest first."""
    revisions = await revision_store.find_page(unit.db, post.id, paging)
    return Found(revisions, await revision_store.count(unit.db, post.id))


def changed_fields(had: Facing, has: Facing) -> list[str]:
    """The fields of a post's record in which two states differ for readers."""
    return [
        _CALLED.get(name, name) for name, before, after in zip(Facing._fields, had, has, strict=True) if before != after
    ]


async def keep_revision(unit: UnitOfWork, post_id: int, had: Facing, has: Facing) -> None:
    """Inside the transaction of a write: keep what the post was, if readers see a difference."""
    changed = changed_fields(had, has)
    if not changed:
        return
    fields = had._asdict()
    revision = Revision(
        id=0,
        post_id=post_id,
        editor_id=unit.user_id,
        created_at=unit.host.clock.now(),
        changed_fields=changed,
        **{name: fields.pop(name) for name in _COLUMNS},
        facing=fields,
    )
    await revision_store.add(unit.tx, revision, unit.host.settings[REVISIONS_KEPT])


async def find_revision(unit: UnitOfWork, post: Post, revision_id: int) -> Revision:
    """:raises NotFound: the post has no such revision."""
    revision = await revision_store.find(unit.db, post.id, revision_id)
    if revision is None:
        raise NotFound
    return revision


async def plan_restore(unit: UnitOfWork, before: Post, revision: Revision, asked: Mapping[str, Any]) -> Plan:
    """Bringing a revision back is an update with what it holds, its content through the sanitiser included:
    what that lets pass may have changed since (setting `posts.embed_hosts`).

    :param asked: the fields of a body that go with any action on a post.
    :raises ApiError: what was allowed then is not allowed now.
    """
    facing = revision.facing
    names = await revision_store.tag_names(unit.db, facing["tags"])
    body = {
        **{name: getattr(revision, name) for name in _COLUMNS},
        "content_format": "html",
        "featured_image": facing["featured_image"],
        "editorial": {name: facing[name] for name in _CALLED},
        "categories": SentIds(tuple(facing["categories"])),
        "tags": list(names.values()),
    }
    plan = await plan_write(unit, before, {**body, **asked})
    lost = unknown_tags([each for each in facing["tags"] if each not in names])
    return replace(plan, trigger="restore", warnings=(*plan.warnings, *lost))


def revision_record(revision: Revision, zone: str) -> dict[str, Any]:
    """A revision as clients see it."""
    return {
        "id": revision.id,
        "post_id": revision.post_id,
        "title": revision.title,
        "slug": revision.slug,
        "excerpt": revision.excerpt,
        "content": revision.content,
        "editor_id": revision.editor_id,
        "editor_name": revision.editor_name,
        "changed_fields": revision.changed_fields,
        "created_at": local(revision.created_at, zone),
    }
