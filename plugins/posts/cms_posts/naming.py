"""Giving a post its slug: unique however many writers want the same one."""

from cms_host.api import Transaction, slug_candidates, slug_of
from cms_posts import store
from cms_posts.post import Post
from cms_posts.profiles import words

#: Slugs that would hide behind a path of the service, or that a browser or crawler asks every site for.
RESERVED = words(
    "admin ads-txt api assets docs favicon-ico feed health humans-txt index-html login logout manifest-json media",
    "members metrics openapi-json robots-txt rss rss-xml sitemap sitemap-xml static well-known",
)


async def take_slug(tx: Transaction, before: Post, after: Post, wish: str | None) -> Post:
    """The post with its slug, claimed inside the transaction.

    A title with nothing to keep becomes `post-<id>` (contract 3), so such a post is given its id here.

    :param wish: the slug that was asked for; None or nothing usable keeps the one it has, or follows the title.
    """
    base = slug_of(wish) if wish else ""
    if before.slug and base in ("", before.slug):
        return after
    base = base or slug_of(after.title)
    if not base:
        after = after._replace(id=await store.next_id(tx))
        base = f"post-{after.id}"
    slug = await _claim_first(tx, base, before)
    if before.slug not in ("", slug):
        # After the claim: two posts that take each other's slugs would each hold what the other waits for.
        await store.retire_slug(tx, before.slug)
    return after._replace(slug=slug)


async def _claim_first(tx: Transaction, base: str, before: Post) -> str:
    taken: set[str] = set()
    for slug in slug_candidates(base, RESERVED):
        if slug not in taken:
            if await store.claim_slug(tx, slug, before.id or None):
                break
            # A rival has it: look once at everything that begins alike instead of trying one by one.
            taken |= {slug, *await store.taken_slugs(tx, base)} - {before.slug}
    return slug
