"""The endpoints of inbound webhooks."""

from typing import Any

from aiohttp import web
from aiohttp_apispec import docs, json_schema, response_schema

from cms_content_queue.api import PendingItems
from cms_host.api import GateRefusal, NotFound, body, json_object, ok, page, paging, unit_of
from cms_media.api import Library, MediaRecord
from cms_posts.api import PostWritten, Submission
from cms_webhooks.actions import ACTIONS
from cms_webhooks.bulk import submit_all
from cms_webhooks.records import actions_record, connection_record, pending_record
from cms_webhooks.schemas import (
    ActionList,
    BatchRecord,
    BulkAction,
    ConnectionRecord,
    DraftAction,
    MediaAction,
    PendingPage,
    PublishAction,
    QueueAction,
    ScheduleAction,
)
from cms_webhooks.service import fetch_image, new_post, to_publish, to_schedule

BULK, FETCH, QUEUE = BulkAction(), MediaAction(), QueueAction()
NO_SUCH_POST = {404: {"description": "The caller sees no post of this id."}}
#: How a call without a key is recognised.
SIGNED: list[dict[str, Any]] = [
    {
        "name": "X-Webhook-Signature",
        "in": "header",
        "required": False,
        "schema": {"type": "string"},
        "description": "In place of a key: `sha256=` and the HMAC-SHA256 of the raw body in hex.",
    },
    {
        "name": "X-Webhook-Timestamp",
        "in": "header",
        "required": False,
        "schema": {"type": "string"},
        "description": "Unix seconds; with it, `<timestamp>.<action>.<body>` is what is signed.",
    },
]


@docs(tags=["webhook"], summary="List the actions")
@response_schema(ActionList, 200)
async def list_actions(request: web.Request) -> web.Response:
    """The actions there are; all are called by POST."""
    return ok(actions_record(ACTIONS))


@docs(tags=["webhook"], summary="Publish a post", parameters=SIGNED, responses=NO_SUCH_POST)
@json_schema(PublishAction())
@response_schema(PostWritten, 200)
@response_schema(PostWritten, 201)
@response_schema(GateRefusal, 422)
async def publish_submission(request: web.Request) -> web.Response:
    """A new post, or with `id` a stored one; it must pass the gate."""
    return await _carry_out(await to_publish(unit_of(request), await json_object(request)))


@docs(tags=["webhook"], summary="Create a draft", parameters=SIGNED)
@json_schema(DraftAction())
@response_schema(PostWritten, 201)
async def draft_submission(request: web.Request) -> web.Response:
    """A new post that waits for somebody to publish it, whatever its status says."""
    return await _carry_out(await new_post(unit_of(request), await json_object(request), "draft"))


@docs(tags=["webhook"], summary="Schedule a post", parameters=SIGNED, responses=NO_SUCH_POST)
@json_schema(ScheduleAction())
@response_schema(PostWritten, 200)
@response_schema(PostWritten, 201)
async def schedule_submission(request: web.Request) -> web.Response:
    """A new post, or with `id` a stored one; the gate runs at that time."""
    return await _carry_out(await to_schedule(unit_of(request), await json_object(request)))


@docs(tags=["webhook"], summary="Fetch an image", parameters=SIGNED)
@json_schema(FETCH)
@response_schema(MediaRecord, 201)
async def fetch_medium(request: web.Request) -> web.Response:
    """The image at a public address, stored as if it were uploaded. Where none is to be had, whyever, it is 422."""
    unit, sent = unit_of(request), await body(request, FETCH)
    image = await fetch_image(unit, sent.pop("url"))
    async with unit.write() as write:
        return write.answer(await write.get(Library).add(image, **sent), 201)


@docs(tags=["webhook"], summary="Create many posts", parameters=SIGNED)
@json_schema(BULK)
@response_schema(BatchRecord, 200)
async def publish_many(request: web.Request) -> web.Response:
    """1 to 100 new posts, each for itself: what is wrong with one does not stop another. Always 200."""
    sent = await body(request, BULK)
    return await submit_all(unit_of(request), sent["items"], sent["status"])


@docs(tags=["webhook"], summary="List the content queue", parameters=SIGNED)
@json_schema(QUEUE)
@response_schema(PendingPage, 200)
async def list_pending(request: web.Request) -> web.Response:
    """What waits in the content queue, the oldest first; 404 where no plugin keeps one."""
    unit, asked = unit_of(request), paging(await body(request, QUEUE))
    queues = unit.all(PendingItems)
    if not queues:
        raise NotFound
    items, total = await queues[0].page(asked)
    return ok(page([pending_record(each, unit.host.timezone) for each in items], total, *asked))


@docs(tags=["webhook"], summary="Test the connection", parameters=SIGNED)
@response_schema(ConnectionRecord, 200)
async def test_connection(request: web.Request) -> web.Response:
    """Who the caller is taken for. The body may be anything."""
    unit = unit_of(request)
    record = connection_record(unit.principal, unit.host.clock.now(), unit.host.timezone)
    if not unit.attempts:
        return ok(record)
    # It tells the time: only what is kept is the same again under an Idempotency-Key.
    async with unit.write() as write:
        return write.answer(record)


async def _carry_out(ready: Submission) -> web.Response:
    async with ready.writing() as write:
        return write.answer(await ready.carry_out(write), 201 if ready.is_new else 200)
