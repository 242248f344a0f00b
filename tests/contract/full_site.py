"""A site with something of everything, so that whoever tries ids and slugs on it finds what they name."""

from collections.abc import Mapping
from itertools import product

from cms_comments.comment import STATUSES as COMMENT_STATUSES
from cms_host.testing import Client, Site
from cms_media.testing import picture, uploaded
from cms_posts.post import STATUSES
from cms_posts.testing import content, created, unlike

ROLES = ("subscriber", "author", "editor", "admin")
#: Not due while any test runs: the site's own scheduler is at work.
LATER = "2099-12-31 09:00:00"


async def fill(site: Site) -> Mapping[str, str]:
    """Posts in every state and by two authors, and whatever goes with posts; gives the secrets of keys by role."""
    clients = {role: await site.client(role) for role in ROLES}
    editor, author = clients["editor"], clients["author"]
    for client in (author, editor):
        medium = await uploaded(client, picture("JPEG"), alt="A harbour", title="Harbour")
        for status, visibility in (*product(STATUSES, ("public",)), *product(("published",), ("private", "password"))):
            title = unlike(f"{medium['author_id']} {status} {visibility}")
            await created(
                client,
                title=title,
                content=content(title),
                visibility=visibility,
                tags=["Deniz"],
                featured_image=medium["path"],
                **({"scheduled_at": LATER} if status == "scheduled" else {"status": status}),
                **({"password": "open sesame"} if visibility == "password" else {}),
            )
    await _changed(author)
    await _filed_and_discussed(editor)
    return {role: client.key or "" for role, client in clients.items()}


async def _changed(author: Client) -> None:
    """A post of which there is a revision, and of which the gate has made up its mind."""
    post = await created(author, title="A post that is changed")
    for title in ("A post that was changed", "A post that was changed again"):
        answer = await author.patch(f"/posts/{post['id']}", json={"title": title, "status": "published"})
        assert answer.status == 200, answer.text


async def _filed_and_discussed(editor: Client) -> None:
    harbour = await editor.post("/categories", json={"name": "Harbour"})
    boats = await editor.post("/categories", json={"name": "Boats", "parent_id": harbour.data["id"]})
    assert boats.status == 201, boats.text
    post = await created(editor, title="A post that is talked about", status="published", categories=[boats.data["id"]])
    for status in COMMENT_STATUSES:
        answer = await editor.post("/comments", json={"post_id": post["id"], "content": f"This one is {status}"})
        answer = await editor.patch(f"/comments/{answer.data['id']}", json={"status": status})
        assert answer.status == 200, answer.text
