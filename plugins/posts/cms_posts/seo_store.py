"""The stored part of SEO objects, and the whole of them as clients see it."""

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import bindparam, delete, select

from cms_host.api import Host, Query, Reader, Transaction, insert, one_of
from cms_posts.addresses import cover_url, permalink
from cms_posts.post import Post
from cms_posts.robots import robots_of
from cms_posts.seo import Place, merged, seo_record
from cms_posts.tables import seo

_FIND = Query(
    {
        dialect: select(seo.c.post_id, seo.c.sent).where(condition)
        for dialect, condition in one_of(seo.c.post_id, "ids").items()
    }
)
_new = insert(seo).values({each.key: bindparam(each.key) for each in seo.c})
_SAVE = Query(
    _new.on_conflict_do_update(
        index_elements=["post_id"], set_={each.key: _new.excluded[each.key] for each in seo.c[1:]}
    )
)
_DROP = Query(delete(seo).where(seo.c.post_id == bindparam("which")))


async def find_sent(db: Reader, post_ids: Iterable[int]) -> dict[int, dict[str, Any]]:
    """What clients sent, by post; posts of which they sent nothing are left out."""
    return dict(await db.all(_FIND, ids=post_ids))


async def save_seo(tx: Transaction, post_id: int, changes: Mapping[str, Any]) -> bool:
    """Change keys of a post that this transaction holds; None takes a key back. Says whether anything changed."""
    if not changes:
        return False
    before = (await find_sent(tx, [post_id])).get(post_id, {})
    after = merged(before, changes)
    if after == before:
        return False
    if after:
        await keep(tx, post_id, after)
    else:
        await tx.send(_DROP, which=post_id)
    return True


async def keep(tx: Transaction, post_id: int, sent: Mapping[str, Any]) -> None:
    """Store what was sent, and what of it is for robots."""
    await tx.send(_SAVE, post_id=post_id, sent=sent, **robots_of(sent)._asdict())


async def seo_records(db: Reader, host: Host, posts: Iterable[Post]) -> dict[int, dict[str, Any]]:
    """The SEO object of each post, by its id; one statement for all.

    The posts must be as the caller may see them: a hidden excerpt is no description either.
    """
    by_id = {post.id: post for post in posts}
    sent = await find_sent(db, by_id)
    return {
        post_id: seo_record(
            post,
            sent.get(post_id, {}),
            Place(permalink(host, post), cover_url(host, post.featured_image), host.timezone),
        )
        for post_id, post in by_id.items()
    }
