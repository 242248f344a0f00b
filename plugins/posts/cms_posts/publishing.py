"""The one door to `published`: the gate, asked under the publish lock inside the transaction that publishes."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from cms_host.api import Conflict, Host, Refused, Report, UnitOfWork
from cms_posts import store
from cms_posts.candidate import is_same_content, make_candidate
from cms_posts.gate_reports import count_refusal, keep_report
from cms_posts.outcome import planned
from cms_posts.outline import Outline
from cms_posts.plan import PUBLISH_LOCK, Plan
from cms_posts.post import Post

log = logging.getLogger("cms_posts.publishing")


class RefusedByGate(Refused):
    """The quality gate refused"""

    def __init__(self, plan: Plan, report: Report) -> None:
        super().__init__([verdict.shown() for verdict in report.blocks])
        #: What was to be written.
        self.plan = plan
        self.report = report


def wants_preparation(unit: UnitOfWork, plan: Plan) -> bool:
    """Whether a rule has something to make ready for this plan."""
    return plan.lock == PUBLISH_LOCK and unit.host.gate.prepares


async def prepare(unit: UnitOfWork, plan: Plan, before: Post) -> Plan:
    """The plan with what the gate's rules want to have ready, made before the transaction begins.

    The candidate is what the post is about to be as far as can be told by now; `pass_gate` tells whether it came out
    otherwise, and then the rules prepare again.

    :param before: the post as it is stored, or a blank one.
    """
    outline = plan.outline or await store.find_outline(unit.db, before.id)
    candidate = make_candidate(before, planned(plan, before, outline), outline, plan.trigger)
    return replace(plan, prepared=await unit.host.gate.prepare(candidate), prepared_for=candidate)


async def run_gate(unit: UnitOfWork, plan: Plan, before: Post, after: Post, outline: Outline) -> Report:
    """What every rule says of publishing this state of a post.

    :raises Conflict: the plan did not foresee that this write would publish.
    """
    if plan.lock != PUBLISH_LOCK:
        raise Conflict("The post was published meanwhile; try again")
    candidate = make_candidate(before, after, outline, plan.trigger)
    foreseen = plan.prepared_for is not None and is_same_content(plan.prepared_for, candidate)
    return await unit.host.gate.run(candidate, unit.db, plan.prepared if foreseen else None)


async def pass_gate(unit: UnitOfWork, plan: Plan, before: Post, after: Post, outline: Outline) -> tuple[Post, Report]:
    """The post as published, if every rule agrees.

    :raises RefusedByGate: one does not; the transaction must end unwritten.
    :raises Conflict: the plan did not foresee that this write would publish.
    """
    report = await run_gate(unit, plan, before, after, outline)
    if not report.passes:
        raise RefusedByGate(plan, report)
    return approved(after), report


def approved(after: Post) -> Post:
    """The post as the gate let it pass."""
    return after._replace(approved_hash=after.content_hash, published_at=after.published_at or after.updated_at)


async def keep_passed(unit: UnitOfWork, plan: Plan, post_id: int, report: Report) -> None:
    """Keep what the gate said of a post that it let pass, in the transaction that publishes."""
    now = unit.host.clock.now()
    await keep_report(unit.tx, post_id, plan.trigger, report, now)
    # Of what passed there is nothing to count but what only a rule in shadow would have refused.
    await count_refusal(unit.tx, report, "refusal", now)


@asynccontextmanager
async def noting_refusals(host: Host) -> AsyncIterator[None]:
    """Around a transaction that may publish: a refusal, which leaves nothing of it, is counted afterwards, and its
    report kept with the post that there was before. Nothing else of the post changes.
    """
    try:
        yield
    except RefusedByGate as refused:
        try:
            await _note(host, refused.plan, refused.report)
        except Exception:
            # The client's answer is the refusal all the same.
            log.exception("a refusal could not be noted", extra={"post_id": refused.plan.post_id})
        raise


async def _note(host: Host, plan: Plan, report: Report) -> None:
    now = host.clock.now()
    # No unit's `write`: an Idempotency-Key is not used up by a refusal.
    async with host.db.transaction() as tx:
        if plan.post_id is not None and await store.hold(tx, plan.post_id):
            await keep_report(tx, plan.post_id, plan.trigger, report, now)
        await count_refusal(tx, report, "refusal", now)


async def check(unit: UnitOfWork, before: Post, after: Post, outline: Outline) -> Report:
    """What the gate would say if this post were published; writes nothing."""
    return await unit.host.gate.run(make_candidate(before, after, outline, "check"), unit.db)
