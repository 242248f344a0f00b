"""Records that the generated tests aim at: for each family, something that an endpoint's path can name."""

from collections.abc import Awaitable, Callable, Mapping
from itertools import count
from typing import Any

from cms_host.api import Role
from cms_host.testing import Client, Site
from cms_media.testing import uploaded
from cms_posts.testing import content, created, unlike
from cms_users.service import AccountService

from .routes import Endpoint

NUMBERS = count(1)


async def _post(editor: Client, owner: int) -> Mapping[str, Any]:
    """A published post of the caller's own, that was changed once."""
    title = unlike(f"target {next(NUMBERS)}")
    post = await created(editor, title=f"{title} as it was", content=content(title), author_id=owner)
    answer = await editor.patch(f"/posts/{post['id']}", json={"title": title, "status": "published"})
    assert answer.status == 200, answer.text
    return {"id": post["id"]}


async def _account(editor: Client, owner: int) -> Mapping[str, Any]:
    """An account that nobody uses; editors can't make any by the API."""
    async with editor.site.host.unit().write() as unit:
        username = f"target{next(NUMBERS)}"
        account = await unit.get(AccountService).create(username, f"{username}@example.org", Role.SUBSCRIBER)
    return {"id": account.id}


async def _setting(editor: Client, owner: int) -> Mapping[str, Any]:
    return {"key": "timezone"}


async def _medium(uploader: Client, owner: int) -> Mapping[str, Any]:
    return {"id": (await uploaded(uploader))["id"]}


async def _comment(editor: Client, owner: int) -> Mapping[str, Any]:
    """An approved comment on a post that everybody sees."""
    post = await _post(editor, owner)
    answer = await editor.post("/comments", json={"post_id": post["id"], "content": "A comment that is aimed at"})
    assert answer.status == 201, answer.text
    assert (await editor.patch(f"/comments/{answer.data['id']}", json={"status": "approved"})).status == 200
    return {"id": answer.data["id"]}


def _named(family: str) -> "Make":
    async def make(editor: Client, owner: int) -> Mapping[str, Any]:
        answer = await editor.post(f"/{family}", json={"name": f"Target number {next(NUMBERS)}"})
        assert answer.status == 201, answer.text
        return {"slug": answer.data["slug"]}

    return make


Make = Callable[[Client, int], Awaitable[Mapping[str, Any]]]
MAKERS: Mapping[str, Make] = {
    "posts": _post,
    "users": _account,
    "settings": _setting,
    "media": _medium,
    "categories": _named("categories"),
    "tags": _named("tags"),
    "comments": _comment,
}
#: Families whose records belong to those who make them, and to nobody else.
MADE_BY_OWNERS = ("media",)
#: Values that name nothing, for every name that a path's parameter has.
ABSENT: Mapping[str, str] = {"id": "987654321", "revision_id": "987654321", "key": "no.such", "slug": "no-such"}


async def user_ids(site: Site) -> dict[str, int]:
    """The ids of all accounts by their names."""
    listed = await (await site.client("admin")).get("/users", params={"per_page": "100"})
    return {user["username"]: user["id"] for user in listed.data["items"]}


async def target(site: Site, endpoint: Endpoint, caller: str) -> Mapping[str, Any]:
    """Values for the path's parameters that name a record on which the caller may do all that his role allows."""
    if not endpoint.parameters:
        return {}
    editor = await site.client("editor")
    owner = await site.client(caller)
    maker = owner if endpoint.family in MADE_BY_OWNERS and caller != "subscriber" else editor
    made = await MAKERS[endpoint.family](maker, (await user_ids(site))[caller])
    if "revision_id" in endpoint.parameters:
        listed = await editor.get(f"/posts/{made['id']}/revisions")
        made = {**made, "revision_id": listed.data["items"][0]["id"]}
    return made
