"""The endpoints of posts."""

from aiohttp import web
from aiohttp_apispec import docs, json_schema, querystring_schema, response_schema

from cms_host.api import (
    BadRequest,
    GateRefusal,
    NotFound,
    PageQuery,
    Schema,
    body,
    ok,
    page,
    paging,
    path_id,
    query,
    unit_of,
)
from cms_posts.gate_reports import find_report
from cms_posts.passwords import OPENER, OPENER_DOC
from cms_posts.plan import Plan, expected_state, plan_publish, plan_review, plan_schedule, plan_write
from cms_posts.post import Post
from cms_posts.presenting import RELATED, present, present_page
from cms_posts.publishing import noting_refusals
from cms_posts.query import wanted
from cms_posts.records import checked_record, report_record, written_record
from cms_posts.revisions import find_page, find_revision, plan_restore, revision_record
from cms_posts.schemas import (
    Checked,
    Deleted,
    DeletePost,
    GateReport,
    ListPosts,
    NewPost,
    PostAction,
    PostChanges,
    PostPage,
    PostRecord,
    PostWritten,
    RevisionPage,
    SchedulePost,
)
from cms_posts.service import PostService

LIST, NEW, CHANGES, DELETE, PAGE = ListPosts(), NewPost(), PostChanges(), DeletePost(), PageQuery()
ACTION, SCHEDULE, NOTHING = PostAction(), SchedulePost(), Schema()
CHANGED = {409: {"description": "The content is not the one of `expected_content_modified_at`."}}


@docs(tags=["posts"], summary="List a page of posts")
@querystring_schema(LIST)
@response_schema(PostPage, 200)
async def list_posts(request: web.Request) -> web.Response:
    """The posts that the caller may see, newest first unless asked otherwise."""
    unit = unit_of(request)
    asked = wanted(query(request, LIST), unit.host.timezone)
    return ok(await present_page(unit, asked, await unit.get(PostService).page(asked)))


@docs(tags=["posts"], summary="Read one post", parameters=[OPENER_DOC])
@querystring_schema(RELATED)
@response_schema(PostRecord, 200)
async def read_post(request: web.Request) -> web.Response:
    """One post by its numeric id. The header X-Post-Password opens one that a password guards."""
    unit = unit_of(request)
    posts = unit.get(PostService)
    post = await posts.opened(await posts.read(path_id(request)), request.headers.get(OPENER))
    return ok(await present(request, unit, post))


@docs(tags=["posts"], summary="Create a post")
@querystring_schema(RELATED)
@json_schema(NEW)
@response_schema(PostWritten, 201)
@response_schema(GateRefusal, 422)
async def create_post(request: web.Request) -> web.Response:
    """A draft unless a status is given; to be published it must pass the gate."""
    return await _carry_out(request, None, await plan_write(unit_of(request), None, await body(request, NEW)))


@docs(tags=["posts"], summary="Change a post", responses=CHANGED)
@querystring_schema(RELATED)
@json_schema(CHANGES)
@response_schema(PostWritten, 200)
@response_schema(GateRefusal, 422)
async def update_post(request: web.Request) -> web.Response:
    """Only what is sent changes; what is or becomes published must pass the gate."""
    unit = unit_of(request)
    before = await unit.get(PostService).editable(path_id(request))
    return await _carry_out(request, before, await plan_write(unit, before, await body(request, CHANGES)))


@docs(tags=["posts"], summary="Publish a post")
@querystring_schema(RELATED)
@json_schema(ACTION)
@response_schema(PostWritten, 200)
@response_schema(GateRefusal, 422)
async def publish_post(request: web.Request) -> web.Response:
    """Runs the gate; a refusal changes nothing."""
    before = await unit_of(request).get(PostService).editable(path_id(request))
    return await _carry_out(request, before, plan_publish(before, await body(request, ACTION)))


@docs(tags=["posts"], summary="Publish a post later")
@querystring_schema(RELATED)
@json_schema(SCHEDULE)
@response_schema(PostWritten, 200)
async def schedule_post(request: web.Request) -> web.Response:
    """The gate runs when the time has come, not now."""
    unit = unit_of(request)
    before = await unit.get(PostService).editable(path_id(request))
    return await _carry_out(request, before, plan_schedule(unit, before, await body(request, SCHEDULE)))


@docs(tags=["posts"], summary="Mark a post as reviewed")
@querystring_schema(RELATED)
@json_schema(ACTION)
@response_schema(PostWritten, 200)
@response_schema(GateRefusal, 422)
async def review_post(request: web.Request) -> web.Response:
    """Vouches for the content as it is. What is published stays so only if the gate lets it pass."""
    before = await unit_of(request).get(PostService).editable(path_id(request))
    return await _carry_out(request, before, plan_review(before, await body(request, ACTION)))


@docs(
    tags=["posts"],
    summary="Ask the gate about a stored post",
    responses={415: {"description": "The body is not JSON."}},
)
@response_schema(Checked, 200)
async def check_post(request: web.Request) -> web.Response:
    """Runs every rule and writes nothing."""
    posts = unit_of(request).get(PostService)
    post = await posts.editable(path_id(request))
    await body(request, NOTHING)
    return ok(checked_record(await posts.check(post)))


@docs(tags=["posts"], summary="Ask the gate about a post that is not stored")
@json_schema(NEW)
@response_schema(Checked, 200)
async def check_new_post(request: web.Request) -> web.Response:
    """Runs every rule on what a create with this body would publish, and writes nothing."""
    unit = unit_of(request)
    plan = await plan_write(unit, None, await body(request, NEW))
    return ok(checked_record(await unit.get(PostService).check_plan(plan)))


@docs(tags=["posts"], summary="Read what the gate last said of a post")
@response_schema(GateReport, 200)
async def read_gate_report(request: web.Request) -> web.Response:
    """The report of the last time that the gate decided about the post; for those who may change it."""
    unit = unit_of(request)
    post = await unit.get(PostService).editable(path_id(request))
    report = await find_report(unit.db, post.id)
    if report is None:
        raise NotFound
    return ok(report_record(report, unit.host.timezone))


@docs(tags=["posts"], summary="Move a post to the trash, or delete it for good", responses=CHANGED)
@json_schema(DELETE)
@response_schema(Deleted, 200)
async def delete_post(request: web.Request) -> web.Response:
    """The row is kept unless `force` is true."""
    unit, post_id = unit_of(request), path_id(request)
    await unit.get(PostService).editable(post_id)
    asked = await body(request, DELETE)
    async with unit.write() as write:
        await write.get(PostService).delete(post_id, force=asked.get("force", False), expected=expected_state(asked))
        return write.answer({"success": True})


@docs(tags=["posts"], summary="List the revisions of a post")
@querystring_schema(PAGE)
@response_schema(RevisionPage, 200)
async def list_revisions(request: web.Request) -> web.Response:
    """The post before each change that readers could see, newest first; for those who may change it."""
    unit = unit_of(request)
    post = await unit.get(PostService).editable(path_id(request))
    asked = paging(query(request, PAGE))
    found = await find_page(unit, post, asked)
    records = [revision_record(each, unit.host.timezone) for each in found.revisions]
    return ok(page(records, found.total, asked.page, asked.per_page))


@docs(tags=["posts"], summary="Bring a revision back")
@querystring_schema(RELATED)
@json_schema(ACTION)
@response_schema(PostWritten, 200)
@response_schema(GateRefusal, 422)
async def restore_revision(request: web.Request) -> web.Response:
    """An update with what the revision holds; the present state becomes a revision, and the gate runs if published."""
    unit = unit_of(request)
    before = await unit.get(PostService).editable(path_id(request))
    revision = await find_revision(unit, before, path_id(request, "revision_id"))
    return await _carry_out(request, before, await plan_restore(unit, before, revision, await body(request, ACTION)))


@docs(tags=["posts"], summary="Refused: the post's id is missing", responses={400: {"description": "Always."}})
async def refuse_missing_id(request: web.Request) -> web.Response:
    """Writes need the id of a post in the path (spec, Errors)."""
    raise BadRequest("Missing post id")


async def _carry_out(request: web.Request, before: Post | None, plan: Plan) -> web.Response:
    unit = unit_of(request)
    plan = await unit.get(PostService).prepare(plan, before)
    async with noting_refusals(unit.host), unit.write(plan.lock) as write:
        post, warnings = await write.get(PostService).carry_out(plan)
        record = written_record(await present(request, write, post), warnings)
        return write.answer(record, 201 if before is None else 200)
