"""Records with what the client asked to have beside them, or instead of them."""

from typing import Any

from aiohttp import web

from cms_host.api import UnitOfWork, page, query
from cms_posts import relations
from cms_posts.listed import BESIDE
from cms_posts.listing import Found, Wanted
from cms_posts.post import Post
from cms_posts.records import post_record
from cms_posts.schemas import Related
from cms_posts.seo_store import seo_records

RELATED = Related()


async def present(request: web.Request, unit: UnitOfWork, post: Post) -> dict[str, Any]:
    """The post's record; `with_relations=1` adds its categories, its tags and its SEO object.

    :param post: as the caller may see it.
    :param unit: what the post was read or written in.
    """
    record = post_record(post, unit.host.timezone)
    if query(request, RELATED).get("with_relations") == 1:
        record |= (await relations.find_records(unit.db, [post.id]))[post.id]
        record["seo"] = (await seo_records(unit.db, unit.host, [post]))[post.id]
    return record


async def present_page(unit: UnitOfWork, wanted: Wanted, found: Found) -> dict[str, Any]:
    """The paged envelope's `data`, without what the client did not want or a keyset has not."""
    zone, fields = unit.host.timezone, wanted.fields
    records = [post_record(post, zone) for post in found.posts]
    if wanted.with_relations if fields is None else not BESIDE.isdisjoint(fields):
        related = await relations.find_records(unit.db, [post.id for post in found.posts])
        records = [record | related[post.id] for record, post in zip(records, found.posts, strict=True)]
    if fields is not None:
        records = [{name: record[name] for name in fields} for record in records]
    data = page(records, found.total or 0, wanted.paging.page, wanted.paging.per_page)
    without = ({"current_page"} if wanted.cursor else set()) | (set() if wanted.with_total else {"total", "pages"})
    return {name: value for name, value in data.items() if name not in without} if without else data
