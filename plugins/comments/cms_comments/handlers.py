"""The endpoints of comments."""

from typing import Any

from aiohttp import web
from aiohttp_apispec import docs, json_schema, querystring_schema, response_schema

from cms_comments.comment import Comment
from cms_comments.records import comment_record
from cms_comments.schemas import (
    CommentChanges,
    CommentPage,
    CommentRecord,
    CommentWritten,
    DeleteComment,
    DeletedComment,
    ListComments,
    NewComment,
)
from cms_comments.service import REMOVE_LOCK, CommentService, Sent
from cms_host.api import UnitOfWork, body, client_address, ok, page, paging, path_id, query, unit_of
from cms_posts.api import OPENER, OPENER_DOC

LIST, NEW, CHANGES, DELETE = ListComments(), NewComment(), CommentChanges(), DeleteComment()
REFUSED = {409: {"description": "The post takes no comments, or is in the trash."}}


@docs(tags=["comments"], summary="List a page of comments", parameters=[OPENER_DOC])
@querystring_schema(LIST)
@response_schema(CommentPage, 200)
async def list_comments(request: web.Request) -> web.Response:
    """Those that the caller may see, newest first. With `post_id`, X-Post-Password opens a post that one guards."""
    unit, sent = unit_of(request), query(request, LIST)
    asked, password = paging(sent), request.headers.get(OPENER)
    comments = unit.get(CommentService)
    found, total = await comments.page(asked, sent.get("post_id"), sent.get("status", ()), password)
    return ok(page([_record(unit, each) for each in found], total, *asked))


@docs(tags=["comments"], summary="Read one comment", parameters=[OPENER_DOC])
@response_schema(CommentRecord, 200)
async def read_comment(request: web.Request) -> web.Response:
    """One comment by its numeric id. The header X-Post-Password opens one on a post that a password guards."""
    unit = unit_of(request)
    return ok(_record(unit, await unit.get(CommentService).read(path_id(request), request.headers.get(OPENER))))


@docs(tags=["comments"], summary="Create a comment", responses=REFUSED)
@json_schema(NEW)
@response_schema(CommentWritten, 201)
async def create_comment(request: web.Request) -> web.Response:
    """It is pending, unless the setting `comments.auto_approve` approves it at once."""
    unit = unit_of(request)
    sent = await unit.get(CommentService).prepare(await body(request, NEW))
    async with unit.write() as write:
        comment = await write.get(CommentService).create(sent, client_address(request))
        return write.answer(_written(write, comment, sent), 201)


@docs(tags=["comments"], summary="Change or moderate a comment")
@json_schema(CHANGES)
@response_schema(CommentWritten, 200)
async def update_comment(request: web.Request) -> web.Response:
    """Only what is sent changes; a `status` brings it back from the trash, too."""
    unit, comment_id = unit_of(request), path_id(request)
    await unit.get(CommentService).read(comment_id)
    sent = await unit.get(CommentService).prepare(await body(request, CHANGES))
    async with unit.write() as write:
        comment = await write.get(CommentService).change(comment_id, sent.values)
        return write.answer(_written(write, comment, sent))


@docs(tags=["comments"], summary="Move a comment to the trash, or delete it for good")
@json_schema(DELETE)
@response_schema(DeletedComment, 200)
async def delete_comment(request: web.Request) -> web.Response:
    """The comment is kept unless `force` is true; then the replies to it move up."""
    unit, comment_id = unit_of(request), path_id(request)
    await unit.get(CommentService).read(comment_id)
    force = (await body(request, DELETE)).get("force", False)
    async with unit.write(REMOVE_LOCK if force else None) as write:
        comments = write.get(CommentService)
        await (comments.delete(comment_id) if force else comments.trash(comment_id))
        return write.answer({"success": True})


def _record(unit: UnitOfWork, comment: Comment) -> dict[str, Any]:
    return comment_record(comment, unit.principal, unit.host.timezone)


def _written(unit: UnitOfWork, comment: Comment, sent: Sent) -> dict[str, Any]:
    return {**_record(unit, comment), **({"warnings": sent.warnings} if sent.warnings else {})}
