"""The endpoints of tags."""

from collections.abc import Sequence
from typing import Any

from aiohttp import web
from aiohttp_apispec import docs, json_schema, querystring_schema, response_schema

from cms_host.api import UnitOfWork, body, ok, page, paging, query, unit_of
from cms_tags.api import TAGS_LOCK
from cms_tags.records import tag_record
from cms_tags.schemas import DeletedTag, ListTags, MergeTag, NewTag, TagChanges, TagPage, TagRecord
from cms_tags.service import TagService
from cms_tags.store import Tag

LIST, NEW, CHANGES, MERGE = ListTags(), NewTag(), TagChanges(), MergeTag()
EXISTS = {409: {"description": "There is a tag of this name already."}}


@docs(tags=["tags"], summary="List a page of tags")
@querystring_schema(LIST)
@response_schema(TagPage, 200)
async def list_tags(request: web.Request) -> web.Response:
    """By name; with `search`, those whose name has it somewhere."""
    unit, sent = unit_of(request), query(request, LIST)
    asked = paging(sent)
    tags, total = await unit.get(TagService).page(sent.get("search", ""), asked)
    return ok(page(await _records(unit, tags), total, *asked))


@docs(tags=["tags"], summary="Read one tag")
@response_schema(TagRecord, 200)
async def read_tag(request: web.Request) -> web.Response:
    """One tag by its slug."""
    unit = unit_of(request)
    (record,) = await _records(unit, [await unit.get(TagService).read(request.match_info["slug"])])
    return ok(record)


@docs(tags=["tags"], summary="Create a tag", responses=EXISTS)
@json_schema(NEW)
@response_schema(TagRecord, 201)
async def create_tag(request: web.Request) -> web.Response:
    """The slug is made of the name unless one is sent."""
    sent = await body(request, NEW)
    async with unit_of(request).write() as write:
        (record,) = await _records(write, [await write.get(TagService).create(sent)])
        return write.answer(record, 201)


@docs(tags=["tags"], summary="Change a tag", responses=EXISTS)
@json_schema(CHANGES)
@response_schema(TagRecord, 200)
async def update_tag(request: web.Request) -> web.Response:
    """Only what is sent changes; the slug does not follow the name."""
    unit, slug = unit_of(request), request.match_info["slug"]
    await unit.get(TagService).read(slug)
    sent = await body(request, CHANGES)
    async with unit.write(TAGS_LOCK) as write:
        (record,) = await _records(write, [await write.get(TagService).change(slug, sent)])
        return write.answer(record)


@docs(tags=["tags"], summary="Merge a tag into another one")
@json_schema(MERGE)
@response_schema(TagRecord, 200)
async def merge_tag(request: web.Request) -> web.Response:
    """What carries this tag carries the other one from now on, and this tag is gone. Answers the other tag."""
    unit, slug = unit_of(request), request.match_info["slug"]
    await unit.get(TagService).read(slug)
    sent = await body(request, MERGE)
    async with unit.write(TAGS_LOCK) as write:
        (record,) = await _records(write, [await write.get(TagService).merge(slug, sent["into"])])
        return write.answer(record)


@docs(tags=["tags"], summary="Delete a tag")
@response_schema(DeletedTag, 200)
async def delete_tag(request: web.Request) -> web.Response:
    """Nothing carries it any longer."""
    async with unit_of(request).write(TAGS_LOCK) as write:
        await write.get(TagService).delete(request.match_info["slug"])
        return write.answer({"success": True})


async def _records(unit: UnitOfWork, tags: Sequence[Tag]) -> list[dict[str, Any]]:
    published = await unit.get(TagService).published_with(tags)
    return [tag_record(each, published.get(each.id, 0), unit.host.timezone) for each in tags]
