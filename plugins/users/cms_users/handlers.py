"""The endpoints of accounts; the host keeps all but administrators away."""

from aiohttp import web
from aiohttp_apispec import docs, querystring_schema, response_schema

from cms_host.api import ok, page, paging, path_id, query, unit_of
from cms_users.records import user_record
from cms_users.schemas import ListUsers, UserPage, UserRecord
from cms_users.service import AccountService

LIST = ListUsers()


@docs(tags=["users"], summary="List a page of accounts")
@querystring_schema(LIST)
@response_schema(UserPage, 200)
async def list_users(request: web.Request) -> web.Response:
    """Every account, oldest first."""
    unit = unit_of(request)
    asked, zone = paging(query(request, LIST)), unit.host.timezone
    users, total = await unit.get(AccountService).page(asked.per_page, asked.offset)
    return ok(page([user_record(user, zone) for user in users], total, *asked))


@docs(tags=["users"], summary="Read one account")
@response_schema(UserRecord, 200)
async def read_user(request: web.Request) -> web.Response:
    """One account by its id."""
    unit = unit_of(request)
    user = await unit.get(AccountService).read(path_id(request))
    return ok(user_record(user, unit.host.timezone))
