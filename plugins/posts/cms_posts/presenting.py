"""The record of one post, with what the client asked to have beside it."""

from typing import Any

from aiohttp import web

from cms_host.api import UnitOfWork, query
from cms_posts import relations
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
