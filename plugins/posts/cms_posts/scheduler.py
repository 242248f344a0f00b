"""The job that publishes what is due (spec, Post status values: the scheduler; contract 4).

It runs in every process. A claim keeps the processes out of each other's way; that a post is published once is due to
the transaction that publishes it, which reads under the post's lock whether it is still scheduled for that moment.
"""

import asyncio
import logging
import secrets

from cms_host.api import Job, NotFound, Report, UnitOfWork
from cms_posts import schedule_store
from cms_posts.due import NotDue
from cms_posts.gate_reports import count_refusal, keep_report
from cms_posts.plan import SCHEDULER, Plan, plan_due, plan_pending
from cms_posts.publishing import RefusedByGate
from cms_posts.schedule_store import Claim
from cms_posts.service import PostService

log = logging.getLogger("cms_posts.scheduler")
SECOND = 1_000_000
#: Posts that a process claims at once; few, for those of a process that is killed wait for the end of its lease.
BATCH = 8
#: Seconds after which what a process has claimed may be taken over.
LEASE = 30
#: Seconds until the next try, where it could not be told whether a post may be published (contract 4).
DELAYS = (60, 300, 900)
#: Seconds for which refusals are remembered: health tells their number.
REMEMBERED = 86_400


async def publish_due(unit: UnitOfWork) -> None:
    """Publish every post whose time has come, oldest first: each in a transaction of its own, so that whoever wants
    to publish something else waits for one post at the most."""
    token, claims = secrets.token_hex(8), list[Claim]()
    try:
        while claims := await _claim(unit, token, claims):
            for claim in claims:
                await _publish(unit, claim)
    except asyncio.CancelledError:
        # The next process, or this one's next start, need not wait until the claims have run out.
        async with unit.write() as write:
            await schedule_store.release(write.tx, token, unit.host.clock.now())
        raise


async def forget(unit: UnitOfWork) -> None:
    """Drop what nobody needs to know any more of posts that were due."""
    async with unit.write() as write:
        await schedule_store.forget(write.tx, unit.host.clock.now() - REMEMBERED * SECOND)


async def _claim(unit: UnitOfWork, token: str, done: list[Claim]) -> list[Claim]:
    """The next posts, in the same transaction as the end of those that are done."""
    now = unit.host.clock.now()
    is_any_due = await schedule_store.is_any_due(unit.db, now)
    if not (is_any_due or done):
        return []
    async with unit.write() as write:
        await schedule_store.drop(write.tx, token)
        return await schedule_store.claim_due(write.tx, token, now, now + LEASE * SECOND, BATCH) if is_any_due else []


async def _publish(unit: UnitOfWork, claim: Claim) -> None:
    """Publish one post, or write down why not. A failure is nobody's verdict: the post stays scheduled.

    :raises Exception: not even that can be written down; the claim runs out by itself.
    """
    try:
        plan = await unit.get(PostService).prepare(plan_due(claim.post_id, claim.scheduled_at))
        async with unit.write(plan.lock) as write:
            refusal = await _carry_out(write, claim, plan)
    except (NotDue, NotFound):
        log.info("scheduled post was changed at the last moment", extra={"post_id": claim.post_id})
    except Exception:
        log.exception("scheduled post could not be published", extra={"post_id": claim.post_id})
        async with unit.write() as write:
            await _put_off(write, claim)
    else:
        if refusal is not None:
            _tell(claim, refusal)


async def _carry_out(unit: UnitOfWork, claim: Claim, plan: Plan) -> Report | None:
    """Publish the post, unless the gate has something against it, which is returned."""
    try:
        await unit.get(PostService).carry_out(plan)
    except RefusedByGate as refusal:
        # The plan of a publish writes nothing before the gate is asked, so the transaction can still be used.
        await _refuse(unit, claim, refusal.report)
        return refusal.report
    return None


async def _refuse(unit: UnitOfWork, claim: Claim, report: Report) -> None:
    now = unit.host.clock.now()
    if _is_another_try_due(claim, report):
        await _put_off(unit, claim)
    else:
        await unit.get(PostService).carry_out(plan_pending(claim.post_id, claim.scheduled_at))
        await count_refusal(unit.tx, report, "schedule", now)
        await schedule_store.mark_refused(unit.tx, claim, now)
    await keep_report(unit.tx, claim.post_id, SCHEDULER, report, now)


def _is_another_try_due(claim: Claim, report: Report) -> bool:
    """Whether no rule refused, but some failed, and that not too often yet."""
    return claim.tries < len(DELAYS) and {block.code for block in report.blocks} <= set(report.failed)


async def _put_off(unit: UnitOfWork, claim: Claim) -> None:
    delay = DELAYS[min(claim.tries, len(DELAYS) - 1)]
    await schedule_store.put_off(unit.tx, claim, unit.host.clock.now() + delay * SECOND)


def _tell(claim: Claim, report: Report) -> None:
    told = {"post_id": claim.post_id, "codes": sorted({block.code for block in report.blocks})}
    if _is_another_try_due(claim, report):
        log.warning("gate rule failed on a scheduled post, which is tried again", extra=told)
    else:
        log.warning("scheduled post refused by the gate", extra=told)


#: Looks every second; `every` counts from the end of a run.
PUBLISH = Job("posts.scheduler", 1, publish_due, scope="process", at_start=True)
FORGET = Job("posts.forget-schedules", 3_600, forget)
