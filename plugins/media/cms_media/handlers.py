"""The endpoints of media."""

from aiohttp import web
from aiohttp_apispec import docs, form_schema, json_schema, querystring_schema, response_schema

from cms_host.api import body, form, ok, page, paging, path_id, query, unit_of
from cms_media.schemas import DeletedMedia, DeleteMedia, ListMedia, MediaChanges, MediaPage, MediaRecord, Upload
from cms_media.service import MediaService

LIST, UPLOAD, CHANGES, DELETE = ListMedia(), Upload(), MediaChanges(), DeleteMedia()
IN_USE = {409: {"description": "Posts show it; the message names them."}}


@docs(tags=["media"], summary="List a page of media")
@querystring_schema(LIST)
@response_schema(MediaPage, 200)
async def list_media(request: web.Request) -> web.Response:
    """Newest first."""
    unit, sent = unit_of(request), query(request, LIST)
    media, asked = unit.get(MediaService), paging(sent)
    found, total = await media.page(sent, asked)
    return ok(page([media.record(each) for each in found], total, *asked))


@docs(tags=["media"], summary="Read one medium")
@response_schema(MediaRecord, 200)
async def read_medium(request: web.Request) -> web.Response:
    """One medium by its id."""
    media = unit_of(request).get(MediaService)
    return ok(media.record(await media.read(path_id(request))))


@docs(tags=["media"], summary="Upload an image")
@form_schema(UPLOAD)
@response_schema(MediaRecord, 201)
async def upload_medium(request: web.Request) -> web.Response:
    """The file is kept as it is; an AVIF and a WebP of the same size are made of it before the answer."""
    unit = unit_of(request)
    media = unit.get(MediaService)
    async with media.receiving() as receiving:
        sent = await form(request, CHANGES, receiving)
        image = await media.take_in(sent.file)
    async with unit.write() as write:
        return write.answer(await write.get(MediaService).add(image, **sent.fields), 201)


@docs(tags=["media"], summary="Change what is said of a medium")
@json_schema(CHANGES)
@response_schema(MediaRecord, 200)
async def update_medium(request: web.Request) -> web.Response:
    """Only what is sent changes; authors change their own uploads."""
    unit, medium_id = unit_of(request), path_id(request)
    await unit.get(MediaService).editable(medium_id)
    sent = await body(request, CHANGES)
    async with unit.write() as write:
        media = write.get(MediaService)
        return write.answer(media.record(await media.change(medium_id, sent)))


@docs(tags=["media"], summary="Delete a medium", responses=IN_USE)
@json_schema(DELETE)
@response_schema(DeletedMedia, 200)
async def delete_medium(request: web.Request) -> web.Response:
    """Its addresses are 404 from then on; authors delete their own uploads."""
    unit, medium_id = unit_of(request), path_id(request)
    media = unit.get(MediaService)
    await media.editable(medium_id)
    asked = await body(request, DELETE)
    async with unit.write() as write:
        gone = await write.get(MediaService).delete(medium_id, force=asked.get("force", False))
        answer = write.answer({"success": True})
    await media.drop_files(gone)
    return answer
