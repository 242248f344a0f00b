"""Every statement about posts."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import (
    ClauseElement,
    Executable,
    bindparam,
    cast,
    column,
    delete,
    func,
    literal_column,
    or_,
    select,
    table,
    update,
)
from sqlalchemy.ext.compiler import compiles

from cms_host.api import Asked, Database, Id, Query, Reader, Transaction, insert, one_of
from cms_posts import search
from cms_posts.kept_counts import KeptCounts
from cms_posts.outline import Outline, outline_of
from cms_posts.post import Post
from cms_posts.tables import counts, outlines, posts, slugs
from cms_users.api import authors

_COUNTS = KeptCounts(counts)


class _Analyze(Executable, ClauseElement):
    """PostgreSQL's statement of that name, for which Core has none."""

    inherit_cache = True


@compiles(_Analyze)
def _analyze(statement: _Analyze, compiler: Any, **options: Any) -> str:
    return "ANALYZE"


_columns = [posts.c[name] for name in Post._fields if name != "author_name"]
AUTHOR_NAME = func.coalesce(authors.c.name, "")
_with_author = posts.outerjoin(authors, authors.c.id == posts.c.author_id)
POST = select(*_columns, AUTHOR_NAME.label("author_name")).select_from(_with_author)

_FIND = Query(POST.where(posts.c.id == bindparam("id")), Post)
_row = insert(posts).values({each.key: bindparam(each.key) for each in _columns})
_INSERT_WITH_ID = Query(_row.returning(posts.c.id))
_INSERT_MANY = Query(_row)
_INSERT_SLUGS = Query(insert(slugs).values(slug=bindparam("slug"), post_id=bindparam("id"), current=True))
#: Ids that were given and not drawn leave PostgreSQL's sequence behind; SQLite's follows by itself.
_DRAW_ON = Query(
    select(func.setval(func.pg_get_serial_sequence("posts", "id"), bindparam("last", type_=Id)).label("last"))
)
_sequence = table("sqlite_sequence", column("name"), column("seq"))
_after_last = func.coalesce(func.max(_sequence.c.seq), 0) + 1
_NEXT_ID = Query(
    {
        "sqlite": select(_after_last.label("id")).where(_sequence.c.name == "posts"),
        "postgresql": select(func.nextval(func.pg_get_serial_sequence("posts", "id")).label("id")),
    }
)
_ANALYZE = Query(_Analyze())
#: FOR NO KEY UPDATE, for the id stays: whoever arranges categories or tags anew may refer to the post meanwhile.
_FIND_FOR_UPDATE = Query(POST.where(posts.c.id == bindparam("id")).with_for_update(of=posts, key_share=True), Post)
_HOLD = Query(
    select(posts.c.id).where(posts.c.id == bindparam("id")).with_for_update(read=True, key_share=True, of=posts)
)
_OUTLINE = Query(select(*outlines.c[1:]).where(outlines.c.post_id == bindparam("id")))
_OUTLINES = Query(
    {dialect: select(*outlines.c).where(condition) for dialect, condition in one_of(outlines.c.post_id, "ids").items()}
)
_PUBLISHED = Query(
    POST.where(posts.c.status == literal_column("'published'"), posts.c.id > bindparam("after", type_=Id))
    .order_by(posts.c.id)
    .limit(bindparam("limit", type_=Id)),
    Post,
)
_COUNT_PUBLISHED = Query(
    select(cast(func.coalesce(func.sum(counts.c.n), 0), Id).label("n")).where(
        counts.c.status == literal_column("'published'")
    )
)
_INSERT = Query(insert(posts).values({each.key: bindparam(each.key) for each in _columns[1:]}).returning(posts.c.id))
_UPDATE = Query(
    update(posts)
    .where(posts.c.id == bindparam("post_id"))
    .values({each.key: bindparam(f"new_{each.key}") for each in _columns[1:]})
)
#: Neighbours' tables may refer to a post, and their rows go with it.
_DELETE = Query(delete(posts).where(posts.c.id == bindparam("id")), scans=True)
_FIRST_AUTHOR = Query(select(func.min(authors.c.id).label("id")))
_ANY = Query(select(posts.c.id).limit(1))
_new_outline = insert(outlines).values({each.key: bindparam(each.key) for each in outlines.c})
_SAVE_OUTLINE = Query(
    _new_outline.on_conflict_do_update(
        index_elements=["post_id"], set_={each.key: _new_outline.excluded[each.key] for each in outlines.c[1:]}
    )
)
_DROP_OUTLINE = Query(delete(outlines).where(outlines.c.post_id == bindparam("id")))

_CLAIM_SLUG = Query(
    insert(slugs)
    .values(slug=bindparam("slug"), post_id=bindparam("post_id"), current=True)
    .on_conflict_do_nothing(index_elements=["slug"])
)
_CLAIM_FORMER = Query(
    update(slugs)
    .where(slugs.c.slug == bindparam("which"), or_(slugs.c.current.is_(False), slugs.c.post_id == bindparam("owner")))
    .values(post_id=bindparam("owner"), current=True)
)
_OWN_SLUG = Query(update(slugs).where(slugs.c.slug == bindparam("which")).values(post_id=bindparam("owner")))
_RETIRE_SLUG = Query(update(slugs).where(slugs.c.slug == bindparam("which")).values(current=False))
_DROP_SLUGS = Query(delete(slugs).where(slugs.c.post_id == bindparam("id")))
_TAKEN = Query(
    select(slugs.c.slug).where(
        slugs.c.current, slugs.c.slug >= bindparam("prefix"), slugs.c.slug < bindparam("prefix_end")
    )
)


async def find(db: Reader, post_id: int) -> Post | None:
    return await db.first(_FIND, id=post_id)


def to_update(post_id: int) -> Asked:
    """Asks for the post, which nobody else can change from then on until the transaction ends."""
    return _FIND_FOR_UPDATE, {"id": post_id}


async def hold(tx: Transaction, post_id: int) -> bool:
    """Whether there is such a post, which nobody can delete for good until the transaction ends."""
    return await tx.first(_HOLD, id=post_id) is not None


async def next_id(tx: Transaction) -> int:
    """The id for a post whose slug needs it before the post is stored."""
    number: int = await tx.value(_NEXT_ID)
    return number


async def find_outline(db: Reader, post_id: int) -> Outline:
    """What the worker saw in the stored content."""
    row = await db.first(_OUTLINE, id=post_id)
    if row is None:
        raise LookupError(f"post {post_id} has no outline")
    return outline_of(*row)


def to_outline(post_id: int) -> Asked:
    """Asks for the row of a post's outline, for `outline_of`."""
    return _OUTLINE, {"id": post_id}


async def find_outlines(db: Reader, post_ids: Iterable[int]) -> dict[int, Outline]:
    """The same for many posts, by their ids; what is gone is left out."""
    return {post_id: outline_of(*row) for post_id, *row in await db.all(_OUTLINES, ids=post_ids)}


async def find_published(db: Reader, after: int, limit: int) -> list[Post]:
    """Published posts in the order of their ids, from the one after this id on."""
    return await db.all(_PUBLISHED, after=after, limit=limit)


async def count_published(db: Reader) -> int:
    """How many posts are published, by the kept counts."""
    number: int = await db.value(_COUNT_PUBLISHED)
    return number


async def add(tx: Transaction, post: Post) -> int:
    """Store a new post under a slug that it has claimed; gives its id (its own one, where it has one already)."""
    post_id: int = await tx.value(_INSERT_WITH_ID if post.id else _INSERT, **post._asdict())
    await tx.send(_OWN_SLUG, which=post.slug, owner=post_id)
    await _COUNTS.add(tx, {_counted_as(post): 1})
    return post_id


async def save(tx: Transaction, before: Post, after: Post) -> None:
    values = {f"new_{name}": value for name, value in after._asdict().items()}
    await tx.send(_UPDATE, post_id=after.id, **values)
    if _counted_as(before) != _counted_as(after):
        await _COUNTS.add(tx, {_counted_as(before): -1, _counted_as(after): 1})


async def save_outline(tx: Transaction, post_id: int, outline: Outline) -> None:
    await tx.send(_SAVE_OUTLINE, **_outline_values(post_id, outline))


async def remove(tx: Transaction, post: Post) -> None:
    """Delete a post that was let go."""
    await tx.send(_DROP_OUTLINE, id=post.id)
    await tx.send(_DELETE, id=post.id)


async def let_go(tx: Transaction, post: Post) -> None:
    """A post is about to be deleted for good: its slugs are free again, and it counts no more."""
    await tx.send(_DROP_SLUGS, id=post.id)
    await _COUNTS.add(tx, {_counted_as(post): -1})


async def claim_slug(tx: Transaction, slug: str, post_id: int | None) -> bool:
    """Take a slug that no post has now; whoever had it before loses it. Waits for a rival's transaction to end.

    One statement that updates on conflict would lock the slug of another post, too, whose writer may wait for us.
    """
    if await tx.execute(_CLAIM_SLUG, slug=slug, post_id=post_id):
        return True
    return await tx.execute(_CLAIM_FORMER, which=slug, owner=post_id) > 0


async def taken_slugs(tx: Transaction, prefix: str) -> set[str]:
    """The slugs in use that begin with the prefix."""
    return {slug for (slug,) in await tx.all(_TAKEN, prefix=prefix, prefix_end=prefix + "\x7f")}


async def retire_slug(tx: Transaction, slug: str) -> None:
    await tx.send(_RETIRE_SLUG, which=slug)


def _outline_values(post_id: int, outline: Outline) -> dict[str, Any]:
    return {
        "post_id": post_id,
        "text": outline.text,
        "headings": outline.headings,
        "links": outline.links,
        "images": outline.images,
    }


def _counted_as(post: Post) -> tuple[str, str, str]:
    return post.type, post.status, post.visibility


async def add_many(tx: Transaction, made: Sequence[tuple[Post, Outline]]) -> None:
    """Store many new posts that have their ids and slugs already; for an empty store only."""
    await tx.execute_many(_INSERT_MANY, (post._asdict() for post, _ in made))
    await tx.execute_many(_INSERT_SLUGS, (post._asdict() for post, _ in made))
    await tx.execute_many(_SAVE_OUTLINE, (_outline_values(post.id, outline) for post, outline in made))
    await search.index_many(tx, (search.Said(post.id, post.title, outline.text) for post, outline in made))
    await _COUNTS.add(tx, Counter(_counted_as(post) for post, _ in made))
    if tx.dialect == "postgresql":
        await tx.all(_DRAW_ON, last=made[-1][0].id)


async def analyze(db: Database) -> None:
    """Tell PostgreSQL's planner what the tables hold, which it would otherwise see in a minute or so by itself."""
    if db.dialect == "postgresql":
        async with db.transaction() as tx:
            await tx.execute(_ANALYZE)


async def is_empty(db: Reader) -> bool:
    """Whether no post was ever kept."""
    return await db.first(_ANY) is None


async def first_author(db: Reader) -> int | None:
    """The oldest account."""
    found: int | None = await db.value(_FIRST_AUTHOR)
    return found
