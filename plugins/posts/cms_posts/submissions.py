"""Posts that come by other ways than their own endpoints; provides `Submissions`."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

from cms_categories.api import NAME_LIMIT, Categories
from cms_host.api import InsufficientRole, Role, UnitOfWork, fold, load, plain_text
from cms_posts.plan import Plan, plan_publish, plan_schedule, plan_write
from cms_posts.post import Post
from cms_posts.publishing import noting_refusals
from cms_posts.records import post_record, written_record
from cms_posts.schemas import NewPost, PostAction, SchedulePost
from cms_posts.service import PostService
from cms_posts.warnings import discarded

NEW, ACTION, SCHEDULE = NewPost(), PostAction(), SchedulePost()


@dataclass(frozen=True, slots=True)
class PlannedSubmission:
    """See :class:`cms_posts.api.Submission`."""

    unit: UnitOfWork
    plan: Plan

    @property
    def is_new(self) -> bool:
        return self.plan.post_id is None

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[UnitOfWork]:
        async with noting_refusals(self.unit.host), self.unit.write(self.plan.lock) as write:
            yield write

    async def carry_out(self, write: UnitOfWork) -> dict[str, Any]:
        post, warnings = await write.get(PostService).carry_out(self.plan)
        return written_record(post_record(post, write.host.timezone), warnings)


class LentSubmissions:
    """Provides `Submissions`."""

    def __init__(self, unit: UnitOfWork) -> None:
        self._unit = unit

    async def new(self, sent: Mapping[str, Any], trigger: str, *, status: str | None = None) -> PlannedSubmission:
        if self._unit.principal.role < Role.AUTHOR:
            raise InsufficientRole
        body = load(NEW, sent)
        overruled = [] if status is None else _overrule(body, status)
        plan = await _with_names(self._unit, await plan_write(self._unit, None, body))
        plan = replace(plan, warnings=(*plan.warnings, *discarded(overruled)))
        return await self._ready(plan, trigger)

    async def publish(self, post_id: int, sent: Mapping[str, Any], trigger: str) -> PlannedSubmission:
        before = await self._unit.get(PostService).editable(post_id)
        return await self._ready(plan_publish(before, load(ACTION, sent)), trigger, before)

    async def schedule(self, post_id: int, sent: Mapping[str, Any], trigger: str) -> PlannedSubmission:
        before = await self._unit.get(PostService).editable(post_id)
        return await self._ready(plan_schedule(self._unit, before, load(SCHEDULE, sent)), trigger, before)

    async def _ready(self, plan: Plan, trigger: str, before: Post | None = None) -> PlannedSubmission:
        plan = await self._unit.get(PostService).prepare(replace(plan, trigger=trigger), before)
        return PlannedSubmission(self._unit, plan)


def _overrule(body: dict[str, Any], status: str) -> list[str]:
    """Give the body this status; the fields that said otherwise."""
    overruled = [name for name in ("status", "scheduled_at") if body.pop(name, None) not in (None, status)]
    body["status"] = status
    return overruled


async def _with_names(unit: UnitOfWork, plan: Plan) -> Plan:
    """The plan with the categories that were sent by name, and names of those that the caller may make."""
    names = tuple(dict.fromkeys(each for each in plan.not_categories if _is_name(each)))
    if not names:
        return plan
    found = await unit.get(Categories).named(names)
    missing = tuple(each for each in names if each not in found) if unit.principal.is_editor else ()
    known = [*found, *missing]
    return replace(
        plan,
        categories=tuple(dict.fromkeys([*(plan.categories or ()), *found.values()])),
        new_categories=missing,
        not_categories=tuple(each for each in plan.not_categories if each not in known),
    )


def _is_name(entry: object) -> bool:
    """Whether it could be the name of a category."""
    return isinstance(entry, str) and len(entry) <= NAME_LIMIT and bool(fold(plain_text(entry)))
