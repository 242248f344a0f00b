"""All that is stored with a post, in the transaction that changes it."""

from cms_host.api import UnitOfWork
from cms_posts import relations, search, store, used_media
from cms_posts.events import tell_of_change, tell_of_deletion
from cms_posts.observed import tell, tell_deleted
from cms_posts.outcome import State, dated
from cms_posts.outline import Outline
from cms_posts.plan import DELETE, Plan
from cms_posts.post import Post
from cms_posts.revisions import keep_revision
from cms_posts.seo_store import save_seo


async def save_new(unit: UnitOfWork, plan: Plan, after: State, outline: Outline) -> Post:
    """Store a post for the first time; gives it with its id."""
    tx, new = unit.tx, dated(None, after.post)
    post = new._replace(id=await store.add(tx, new))
    await store.save_outline(tx, post.id, outline)
    await used_media.add(tx, post, outline, unit.host.config.base_url)
    await search.index_post(tx, post, outline.text)
    await relations.add(tx, post, after.filed)
    await save_seo(tx, post.id, plan.seo)
    await tell(unit, None, post, outline)
    post = await _named(unit, unit.user_id, post)
    await tell_of_change(unit, None, after._replace(post=post))
    return post


async def save(unit: UnitOfWork, plan: Plan, before: State, after: State, outline: Outline | None) -> Post:
    """Store what a post has become.

    :param outline: of the content as it is now, where the caller knows it.
    """
    tx, post = unit.tx, dated(before.post, after.post)
    await store.save(tx, before.post, post)
    if plan.outline is not None:
        await store.save_outline(tx, post.id, plan.outline)
    await used_media.change(tx, before.post, post, plan.outline, unit.host.config.base_url)
    if plan.outline is not None or post.title != before.post.title:
        outline = outline or await store.find_outline(tx, post.id)
        await search.index_post(tx, post, outline.text)
    await relations.change(tx, before.post, before.filed, post, after.filed)
    await keep_revision(unit, post.id, before.facing, after.facing)
    await tell(unit, before.post, post, outline)
    post = await _named(unit, before.post.author_id, post)
    if plan.trigger == DELETE:
        await tell_of_deletion(unit, post, permanent=False)
    else:
        await tell_of_change(unit, before, after._replace(post=post))
    return post


async def remove(unit: UnitOfWork, before: State) -> None:
    """Delete a post and all that is stored with it."""
    # The locks of this first, and then those of what it is filed under: as everywhere (see `cms_posts.relations`).
    await store.let_go(unit.tx, before.post)
    await relations.remove(unit.tx, before.post, before.filed)
    await search.unindex_post(unit.tx, before.post.id)
    await store.remove(unit.tx, before.post)
    await tell_deleted(unit, before.post)
    await tell_of_deletion(unit, before.post, permanent=True)


async def _named(unit: UnitOfWork, author_id: int | None, post: Post) -> Post:
    """The post with the name of its author, who may be another by now."""
    return post if post.author_id == author_id else await store.find(unit.tx, post.id) or post
