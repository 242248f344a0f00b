"""The endpoints of settings; the host keeps all but administrators away."""

from aiohttp import web
from aiohttp_apispec import docs, json_schema, querystring_schema, response_schema

from cms_host.api import DEFAULT_PER_PAGE, body, json_object, ok, page, paging, query, unit_of
from cms_settings.schemas import ListSettings, SettingChanges, SettingPage, SettingRecord, SettingValue
from cms_settings.service import SettingService

LIST, VALUE, CHANGES = ListSettings(), SettingValue(), SettingChanges()


@docs(tags=["settings"], summary="List a page of settings")
@querystring_schema(LIST)
@response_schema(SettingPage, 200)
async def list_settings(request: web.Request) -> web.Response:
    """The settings of the host and of every plugin, by key. Secrets are shown as `********`, set or not."""
    settings, asked = unit_of(request).get(SettingService), paging(query(request, LIST))
    keys = settings.keys()
    items = settings.read_all(keys[asked.offset : asked.offset + asked.per_page])
    return ok(page(items, len(keys), *asked))


@docs(tags=["settings"], summary="Read one setting")
@response_schema(SettingRecord, 200)
async def read_setting(request: web.Request) -> web.Response:
    """One setting by its key."""
    return ok(unit_of(request).get(SettingService).read(request.match_info["key"]))


@docs(tags=["settings"], summary="Change one setting")
@json_schema(VALUE)
@response_schema(SettingRecord, 200)
async def change_setting(request: web.Request) -> web.Response:
    """The new value holds from the next request on. `********` leaves a secret as it is."""
    settings, key = unit_of(request).get(SettingService), request.match_info["key"]
    settings.read(key)
    sent = await body(request, VALUE)
    await settings.change({key: sent["value"]}, {key: "value"})
    return ok(settings.read(key))


@docs(tags=["settings"], summary="Change several settings")
@json_schema(CHANGES)
@response_schema(SettingPage, 200)
async def change_settings(request: web.Request) -> web.Response:
    """All of the values are taken, or none: a key that no setting has is 422, and `********` leaves a secret as it is.

    Answers the settings that were named, on one page.
    """
    settings, changes = unit_of(request).get(SettingService), await json_object(request)
    await settings.change(changes)
    items = settings.read_all(sorted(changes))
    return ok(page(items, len(items), 1, len(items) or DEFAULT_PER_PAGE))
