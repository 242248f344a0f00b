"""The one door to `published`: the gate, asked under the publish lock inside the transaction that publishes."""

from dataclasses import replace

from cms_host.api import Conflict, Refused, Report, UnitOfWork
from cms_posts import store
from cms_posts.candidate import is_same_content, make_candidate
from cms_posts.outcome import planned
from cms_posts.outline import Outline
from cms_posts.plan import PUBLISH_LOCK, Plan
from cms_posts.post import Post


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


async def check(unit: UnitOfWork, before: Post, after: Post, outline: Outline) -> Report:
    """What the gate would say if this post were published; writes nothing."""
    return await unit.host.gate.run(make_candidate(before, after, outline, "check"), unit.db)
