"""What those who are told of saved posts get to know of one."""

from cms_host.api import PostChange, UnitOfWork, fold
from cms_posts import store
from cms_posts.outline import Outline
from cms_posts.post import LISTED, SCHEDULED, TRASH, Post


async def tell(unit: UnitOfWork, before: Post | None, after: Post, outline: Outline | None) -> None:
    """Tell every observer what was saved in this unit's transaction.

    :param before: None for a new post. :param outline: of the content as it is now, where the caller knows it.
    """
    observers = unit.host.post_observers
    if observers and outline is None and after.status in LISTED:
        outline = await store.find_outline(unit.tx, after.id)
    for observer in observers:
        await observer.saved(change_of(before, after, outline), unit.tx)


async def tell_deleted(unit: UnitOfWork, post: Post) -> None:
    """Tell every observer that a post is gone: for them that is no more than its being in the trash."""
    await tell(unit, post, post._replace(status=TRASH), None)


def change_of(before: Post | None, after: Post, outline: Outline | None) -> PostChange:
    """The change from one stored state to the next."""
    is_listed = after.status in LISTED
    return PostChange(
        post_id=after.id,
        was_listed=before is not None and before.status in LISTED,
        is_listed=is_listed,
        due_at=after.scheduled_at if after.status == SCHEDULED else None,
        title=after.title,
        folded_title=fold(after.title),
        title_changed=before is None or before.title != after.title,
        text=outline.text if is_listed and outline else "",
        text_changed=before is None or before.content != after.content,
    )
