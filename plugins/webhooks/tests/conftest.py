"""Calls of the actions, by key or signed, and a host with images."""

import hashlib
import hmac
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from cms_host.testing import Answer, MakeSite, Site
from cms_media.testing import picture

SECRET = "a secret of some forty characters and no less"
USER = "automat"
#: For what no database has a part in.
SQLITE_ALONE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def digest(body: bytes, secret: str = SECRET) -> str:
    """As a caller makes it, by other means than ours."""
    return hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


async def raw(site: Site, action: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """A call without a key."""
    sent = {"Content-Type": "application/json", **headers}
    return await site.anonymous.post(f"/webhook/{action}", data=body, headers=sent)


async def signed(site: Site, action: str, body: Any, *, at: int | None = None, **headers: str) -> Answer:
    """A signed call. :param at: its timestamp, in Unix seconds."""
    content = json.dumps(body).encode()
    covered = content if at is None else f"{at}.{action}.".encode() + content
    stamp = {} if at is None else {"X-Webhook-Timestamp": str(at)}
    return await raw(site, action, content, {"X-Webhook-Signature": f"sha256={digest(covered)}", **stamp, **headers})


async def open_to(site: Site, role: str = "author", username: str = USER) -> None:
    """Have signatures speak for an account of this role."""
    await site.key(role, username)
    await site.set(**{"webhook.inbound_secret": SECRET, "webhook.inbound_user": username})


async def total(site: Site, path: str = "/posts") -> int:
    return int((await (await site.client("admin")).get(path)).data["total"])


@dataclass
class Pictures:
    """A host with an image, and what it was asked."""

    url: str = ""
    asked: list[str] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.Response:
        self.asked.append(request.path)
        if request.path == "/there":
            raise web.HTTPFound("/boat.png")
        if request.path == "/round":
            raise web.HTTPFound("/round")
        if request.path == "/boat.png":
            return web.Response(body=picture(), content_type="text/plain")
        return web.Response(text="<svg xmlns='http://www.w3.org/2000/svg'/>", content_type="image/png")


@pytest.fixture
async def pictures() -> AsyncIterator[Pictures]:
    found = Pictures()
    app = web.Application()
    app.router.add_get("/{path:.*}", found.answer)
    async with TestServer(app, host="127.0.0.1") as server:
        found.url = str(server.make_url("/")).rstrip("/")
        yield found


@pytest.fixture
async def trusting(make_site: MakeSite) -> Site:
    """A site that may ask this machine."""
    return await make_site(fetch_allow=("127.0.0.0/8",))
