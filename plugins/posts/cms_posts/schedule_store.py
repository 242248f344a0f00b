"""Which scheduled posts are due, and who is publishing them: the statements."""

from typing import NamedTuple

from sqlalchemy import and_, bindparam, case, delete, func, literal, literal_column, null, or_, select, update

from cms_host.api import Id, Instant, Query, Reader, Transaction, insert
from cms_posts.tables import posts, schedules


class Claim(NamedTuple):
    """A due post that this process may publish."""

    post_id: int
    #: When the post is due; the claim is void once it has another time.
    scheduled_at: int
    #: How often it could not be told whether the post may be published.
    tries: int
    #: Whose claim it is: one that another has taken over meanwhile has another token.
    token: str


class Figures(NamedTuple):
    """How the scheduler is doing."""

    #: When the oldest post was due that is still scheduled; None where none is.
    oldest: int | None
    #: Posts that it sent back to their editors, and that were not published by it since.
    refused: int


_now = bindparam("now", type_=Instant)
_due = and_(posts.c.status == literal_column("'scheduled'"), posts.c.scheduled_at <= _now)
_free = or_(schedules.c.post_id.is_(None), schedules.c.scheduled_at != posts.c.scheduled_at, schedules.c.until <= _now)
_claimable = (
    select(posts.c.id, posts.c.scheduled_at)
    .select_from(posts.outerjoin(schedules, schedules.c.post_id == posts.c.id))
    .where(_due, _free)
    .order_by(posts.c.scheduled_at, posts.c.id)
)
ANY_DUE = Query(_claimable.limit(1))
#: Locked rows are being claimed or written by another, who need not be waited for. FOR NO KEY UPDATE: see `store`.
_taken = (
    _claimable.limit(bindparam("most", type_=Id))
    .add_columns(
        bindparam("token", type_=schedules.c.token.type).label("token"),
        bindparam("until", type_=Instant).label("until"),
        literal(0).label("tries"),
    )
    .with_for_update(of=posts, key_share=True, skip_locked=True)
)
_claim = insert(schedules).from_select(["post_id", "scheduled_at", "token", "until", "tries"], _taken)
_sent = _claim.excluded
_is_the_same = schedules.c.scheduled_at == _sent.scheduled_at
_CLAIM = Query(
    _claim.on_conflict_do_update(
        index_elements=["post_id"],
        set_={
            "scheduled_at": _sent.scheduled_at,
            "token": _sent.token,
            "until": _sent.until,
            "tries": case((_is_the_same, schedules.c.tries), else_=0),
            "refused_at": null(),
        },
        # Whoever waited here for a rival's claim to commit finds it, and lets it be.
        where=or_(schedules.c.scheduled_at != _sent.scheduled_at, schedules.c.until <= _now),
    ).returning(schedules.c.post_id, schedules.c.scheduled_at, schedules.c.tries, schedules.c.token),
    Claim,
)
_held = and_(schedules.c.post_id == bindparam("which"), schedules.c.token == bindparam("holder"))
_DROP = Query(delete(schedules).where(schedules.c.token == bindparam("holder")))
_PUT_OFF = Query(update(schedules).where(_held).values(token="", until=bindparam("later"), tries=schedules.c.tries + 1))
_REFUSE = Query(update(schedules).where(_held).values(token="", until=_now, refused_at=_now))
_RELEASE = Query(update(schedules).where(schedules.c.token == bindparam("holder")).values(token="", until=_now))
_FORGET = Query(delete(schedules).where(schedules.c.until < bindparam("before")))
OLDEST_DUE = Query(select(posts.c.scheduled_at).where(_due).order_by(posts.c.scheduled_at).limit(1))
#: Reads the whole table, which has a day's refusals and what is being published.
_REFUSED = Query(
    select(func.count().label("n")).select_from(schedules).where(schedules.c.refused_at >= bindparam("since"))
)


async def is_any_due(db: Reader, now: int) -> bool:
    """Whether there is something to claim: asked before a transaction is begun for it."""
    return await db.first(ANY_DUE, now=now) is not None


async def claim_due(tx: Transaction, token: str, now: int, until: int, most: int) -> list[Claim]:
    """Take up to `most` due posts for which nobody holds a claim, oldest first.

    :param until: when another may take them over, in microseconds since the epoch.
    """
    claims = await tx.all(_CLAIM, token=token, now=now, until=until, most=most)
    return sorted(claims, key=lambda claim: (claim.scheduled_at, claim.post_id))


async def drop(tx: Transaction, token: str) -> None:
    """Nothing is left to do for the posts that are claimed under a token."""
    await tx.execute(_DROP, holder=token)


async def put_off(tx: Transaction, claim: Claim, later: int) -> None:
    """Let nobody claim the post before a moment, and count the try; what another has taken over is left to them."""
    await tx.execute(_PUT_OFF, which=claim.post_id, holder=claim.token, later=later)


async def mark_refused(tx: Transaction, claim: Claim, now: int) -> None:
    """Remember that the post went back to its editors."""
    await tx.execute(_REFUSE, which=claim.post_id, holder=claim.token, now=now)


async def release(tx: Transaction, token: str, now: int) -> None:
    """Let others have at once what is still claimed under a token."""
    await tx.execute(_RELEASE, holder=token, now=now)


async def forget(tx: Transaction, before: int) -> None:
    """Drop what nobody has claimed, put off or refused since a moment."""
    await tx.execute(_FORGET, before=before)


async def figures(db: Reader, now: int, since: int) -> Figures:
    """How the scheduler is doing at `now`; refusals count from `since` on."""
    return Figures(await db.value(OLDEST_DUE, now=now), await db.value(_REFUSED, since=since))
