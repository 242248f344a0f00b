"""Every slug that a post has or had, against the posts."""

from collections.abc import Callable, Sequence

from sqlalchemy import and_, delete, exists, or_, select, true, update

from cms_host.api import Query, Reader, Transaction, UnitOfWork, insert
from cms_posts.indexes.laws import broken, law
from cms_posts.indexes.spans import Span, rewrite, within
from cms_posts.tables import posts, slugs

_of_its_post = posts.c.id == slugs.c.post_id
_gone = ~exists().where(_of_its_post).correlate(slugs)
_of_another = exists().where(_of_its_post, posts.c.slug != slugs.c.slug).correlate(slugs)
_held = and_(slugs.c.current, _of_its_post)
_LAWS = (
    law(
        select(posts.c.id, posts.c.slug)
        .select_from(posts.outerjoin(slugs, slugs.c.slug == posts.c.slug))
        .where(or_(slugs.c.slug.is_(None), slugs.c.post_id.is_(None), ~_held)),
        lambda post, slug: f"the slug {slug} of post {post} is not kept as its own",
    ),
    law(
        select(slugs.c.slug, slugs.c.post_id).where(or_(_gone, and_(slugs.c.current, _of_another))),
        lambda slug, post: f"the slug {slug} is kept for post {post}, which does not have it",
    ),
)
_retire = update(slugs).where(within(slugs.c.post_id), slugs.c.current, _of_another).values(current=False)
_own = insert(slugs).from_select(
    ["slug", "post_id", "current"], select(posts.c.slug, posts.c.id, true()).where(within(posts.c.id))
)
_claim = _own.on_conflict_do_update(
    index_elements=["slug"],
    set_={"post_id": _own.excluded.post_id, "current": True},
    where=or_(slugs.c.post_id.is_(None), slugs.c.post_id != _own.excluded.post_id, slugs.c.current.is_(False)),
)
_free = delete(slugs).where(or_(slugs.c.post_id.is_(None), within(slugs.c.post_id)), _gone)
#: The claims after the retirements, for a slug may have been kept for the wrong post.
_REPAIRS = tuple(Query(each) for each in (_retire, _claim, _free))


class SlugIndex:
    """Where slugs are unique, and former ones remembered. A former slug that is lost can't be known again."""

    name = "posts.slugs"

    async def verify(self, db: Reader) -> Sequence[str]:
        return await broken(db, _LAWS)

    async def rebuild(self, unit: UnitOfWork, progress: Callable[[int, int], None]) -> None:
        await rewrite(unit, progress, _mend)


async def _mend(tx: Transaction, span: Span) -> None:
    for repair in _REPAIRS:
        await tx.execute(repair, **span._asdict())
