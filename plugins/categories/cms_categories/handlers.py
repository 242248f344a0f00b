"""The endpoints of categories."""

from collections.abc import Sequence
from typing import Any

from aiohttp import web
from aiohttp_apispec import docs, json_schema, response_schema

from cms_categories.api import TREE_LOCK
from cms_categories.records import category_record
from cms_categories.schemas import (
    CategoryChanges,
    CategoryDetail,
    CategoryPage,
    CategoryRecord,
    DeletedCategory,
    NewCategory,
)
from cms_categories.service import CategoryService
from cms_categories.store import Category
from cms_host.api import DEFAULT_PER_PAGE, UnitOfWork, body, ok, page, unit_of

NEW, CHANGES = NewCategory(), CategoryChanges()
EXISTS = {409: {"description": "A category of this name is in this place already."}}


@docs(tags=["categories"], summary="List all categories")
@response_schema(CategoryPage, 200)
async def list_categories(request: web.Request) -> web.Response:
    """All of them on one page, by name."""
    unit = unit_of(request)
    items = await _records(unit, await unit.get(CategoryService).all())
    return ok(page(items, len(items), 1, len(items) or DEFAULT_PER_PAGE))


@docs(tags=["categories"], summary="Read one category")
@response_schema(CategoryDetail, 200)
async def read_category(request: web.Request) -> web.Response:
    """One category by its slug, with those directly below it."""
    unit = unit_of(request)
    categories = unit.get(CategoryService)
    category = await categories.read(request.match_info["slug"])
    record, *children = await _records(unit, [category, *await categories.children(category)])
    return ok({**record, "children": children})


@docs(tags=["categories"], summary="Create a category", responses=EXISTS)
@json_schema(NEW)
@response_schema(CategoryRecord, 201)
async def create_category(request: web.Request) -> web.Response:
    """At the top level unless `parent_id` is sent; the slug is made of the name unless one is sent."""
    sent = await body(request, NEW)
    async with unit_of(request).write(TREE_LOCK) as write:
        (record,) = await _records(write, [await write.get(CategoryService).create(sent)])
        return write.answer(record, 201)


@docs(tags=["categories"], summary="Change or move a category", responses=EXISTS)
@json_schema(CHANGES)
@response_schema(CategoryRecord, 200)
async def update_category(request: web.Request) -> web.Response:
    """Only what is sent changes; `parent_id: null` moves it to the top level. The slug does not follow the name."""
    unit, slug = unit_of(request), request.match_info["slug"]
    await unit.get(CategoryService).read(slug)
    sent = await body(request, CHANGES)
    async with unit.write(TREE_LOCK) as write:
        (record,) = await _records(write, [await write.get(CategoryService).change(slug, sent)])
        return write.answer(record)


@docs(tags=["categories"], summary="Delete a category")
@response_schema(DeletedCategory, 200)
async def delete_category(request: web.Request) -> web.Response:
    """The categories below it move up to its parent, and its posts are in it no longer."""
    async with unit_of(request).write(TREE_LOCK) as write:
        await write.get(CategoryService).delete(request.match_info["slug"])
        return write.answer({"success": True})


async def _records(unit: UnitOfWork, categories: Sequence[Category]) -> list[dict[str, Any]]:
    published = await unit.get(CategoryService).published_in(categories)
    return [category_record(each, published.get(each.id, 0), unit.host.timezone) for each in categories]
