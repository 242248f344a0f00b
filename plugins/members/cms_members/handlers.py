"""The public pages of registration. A GET changes nothing: mail scanners open every link."""

from aiohttp import web

from cms_host.api import FieldErrors, Host, submitted
from cms_members.pages import Pages
from cms_members.provenance import is_from_here
from cms_members.service import MemberService, TooManyTries
from cms_members.texts import preferred

#: Bytes of a form at the most; a password of 1024 characters in percent signs has its place in it.
FORM_LIMIT = 64 * 1024
_EMPTY = {"name": "", "email": ""}


async def show_form(host: Host, request: web.Request) -> web.Response:
    """The empty form."""
    return host.one(Pages).show(request, "register", sent=_EMPTY, wrong=())


async def register(host: Host, request: web.Request) -> web.Response:
    """The same page whether or not an account has the address."""
    if not is_from_here(host, request):
        return host.one(Pages).show(request, "refused", 403)
    sent = {**_EMPTY, **await submitted(request, FORM_LIMIT)}
    try:
        await _register(host, request, sent)
    except FieldErrors as error:
        return host.one(Pages).show(request, "register", 422, sent=sent, wrong={each.field for each in error.errors})
    except TooManyTries as error:
        return host.one(Pages).show(request, "later", error.status)
    return host.one(Pages).show(request, "sent")


async def ask(host: Host, request: web.Request) -> web.Response:
    """What the link opens: whose account it would be, and a button."""
    token = request.query.get("token", "")
    found = await host.unit().get(MemberService).find(token)
    if found is None:
        return host.one(Pages).show(request, "invalid", 404)
    return host.one(Pages).show(request, "confirm", name=found.name, email=found.email, token=token)


async def confirm(host: Host, request: web.Request) -> web.Response:
    """What the button does."""
    if not is_from_here(host, request):
        return host.one(Pages).show(request, "refused", 403)
    token = (await submitted(request, FORM_LIMIT)).get("token", "")
    async with host.unit().write() as write:
        member = await write.get(MemberService).confirm(token)
    if member is None:
        return host.one(Pages).show(request, "invalid", 404)
    return host.one(Pages).show(request, "welcome", username=member.username)


async def _register(host: Host, request: web.Request, sent: dict[str, str]) -> None:
    # No request of the API has seen to it that the settings are those of this moment.
    await host.settings.refresh(host.db)
    client = host.client_ip.limiter_key(host.client_ip.of(request))
    language = preferred(request.headers.get("Accept-Language", ""))
    await host.unit().get(MemberService).register(sent, client, language)
