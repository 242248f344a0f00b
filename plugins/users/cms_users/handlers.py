"""The endpoints of accounts; the host keeps all but administrators away."""

from aiohttp import web
from aiohttp_apispec import docs, json_schema, querystring_schema, response_schema

from cms_host.api import body, ok, page, paging, path_id, query, unit_of
from cms_users.passwords import with_hash
from cms_users.records import user_record
from cms_users.schemas import (
    DeletedUser,
    DeleteUser,
    DeleteUserQuery,
    ListUsers,
    NewUser,
    UserChanges,
    UserPage,
    UserRecord,
)
from cms_users.sent import heir_of, new_account, wanted
from cms_users.service import ACCOUNTS_LOCK, AccountService

LIST, NEW, CHANGES, DELETE, DELETE_QUERY = ListUsers(), NewUser(), UserChanges(), DeleteUser(), DeleteUserQuery()
_TAKEN = "Another user has this username or e-mail address"
EXISTS = {409: {"description": f"{_TAKEN}."}}
KEPT = {409: {"description": f"{_TAKEN}, or nobody else could administrate, or it is the caller's own account."}}
OWNS = {
    409: {"description": "It owns something, or nobody else could administrate, or it is the caller's own account."}
}


@docs(tags=["users"], summary="List a page of accounts")
@querystring_schema(LIST)
@response_schema(UserPage, 200)
async def list_users(request: web.Request) -> web.Response:
    """Oldest first; with filters, those that fit all of them."""
    unit, sent = unit_of(request), query(request, LIST)
    asked, zone = paging(sent), unit.host.timezone
    users, total = await unit.get(AccountService).page(wanted(sent), asked)
    return ok(page([user_record(user, zone) for user in users], total, *asked))


@docs(tags=["users"], summary="Read one account")
@response_schema(UserRecord, 200)
async def read_user(request: web.Request) -> web.Response:
    """One account by its id."""
    unit = unit_of(request)
    user = await unit.get(AccountService).read(path_id(request))
    return ok(user_record(user, unit.host.timezone))


@docs(tags=["users"], summary="Create an account", responses=EXISTS)
@json_schema(NEW)
@response_schema(UserRecord, 201)
async def create_user(request: web.Request) -> web.Response:
    """A subscriber unless a role is given. Without a password it can have keys, and does not get into the panel."""
    unit = unit_of(request)
    sent = await with_hash(await body(request, NEW))
    async with unit.write() as write:
        user = await write.get(AccountService).create(**new_account(sent))
        return write.answer(user_record(user, unit.host.timezone), 201)


@docs(tags=["users"], summary="Change an account", responses=KEPT)
@json_schema(CHANGES)
@response_schema(UserRecord, 200)
async def update_user(request: web.Request) -> web.Response:
    """Only what is sent changes, and holds from the next request on for the account's keys too."""
    unit, user_id = unit_of(request), path_id(request)
    await unit.get(AccountService).read(user_id)
    sent = await with_hash(await body(request, CHANGES))
    async with unit.write(ACCOUNTS_LOCK) as write:
        user = await write.get(AccountService).change(user_id, sent)
        return write.answer(user_record(user, unit.host.timezone))


@docs(tags=["users"], summary="Delete an account", responses=OWNS)
@querystring_schema(DELETE_QUERY)
@json_schema(DELETE)
@response_schema(DeletedUser, 200)
async def delete_user(request: web.Request) -> web.Response:
    """Its keys go with it; what it owns goes to the user of `reassign_to`, which may be in the body or in the query."""
    unit, user_id = unit_of(request), path_id(request)
    await unit.get(AccountService).read(user_id)
    heir_id = heir_of(await body(request, DELETE), query(request, DELETE_QUERY))
    async with unit.write(ACCOUNTS_LOCK) as write:
        await write.get(AccountService).delete(user_id, heir_id)
        return write.answer({"success": True})
