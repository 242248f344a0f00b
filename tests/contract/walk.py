"""A model of posts, in a few lines: which write is allowed in which state, what it leads to, and who sees it then."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from cms_host.testing import Answer, Client
from cms_posts.testing import CONTENT

WRITERS = ("author", "another", "editor")
LATER, EARLIER = "2030-01-01 00:00:00", "2020-01-01 00:00:00"
#: What the gate of the test lets pass, and what it refuses (`short_title`).
GOOD, BAD = "A title that is long enough", "Short"


class Step(NamedTuple):
    """One request: what, by whom, on which of the posts there are (counted round), and with which body."""

    act: str
    who: str
    which: int
    body: Mapping[str, Any]


@dataclass(frozen=True)
class Post:
    """What the model knows of a post."""

    id: int
    owner: str
    title: str = GOOD
    status: str = "draft"
    visibility: str = "public"
    type: str = "post"
    is_featured: bool = False
    #: Whether it has a time to be published at, now or from earlier.
    timed: bool = False
    published_at: str | None = None

    def seen_by(self, who: str) -> bool:
        if who in ("editor", self.owner):
            return True
        return self.status == "published" and self.visibility == "public"

    def after(self, body: Mapping[str, Any], now: str) -> "Post":
        """Once the body is written: `scheduled_at` wins over `status`."""
        plain = {name: body[name] for name in ("title", "status", "visibility", "type", "is_featured") if name in body}
        changed = replace(self, **plain)
        if "scheduled_at" in body:
            changed = replace(changed, status="scheduled", timed=True)
        if changed.status == "published" and changed.published_at is None:
            changed = replace(changed, published_at=now)
        return changed


@dataclass
class Model:
    """All posts, by their ids."""

    posts: dict[int, Post] = field(default_factory=dict)

    def refusal(self, post: Post, who: str, body: Mapping[str, Any], *, new: bool = False) -> int | None:
        """The status that refuses to write the body to the post; None where it is written."""
        if not new and not post.seen_by(who):
            return 404
        if who != "editor" and "page" in (post.type, body.get("type")):
            return 403
        if who not in ("editor", post.owner):
            return 403
        if body.get("scheduled_at") == EARLIER:
            return 422
        if body.get("status") == "scheduled" and "scheduled_at" not in body and not post.timed:
            return 422
        after = post.after(body, "")
        return 422 if after.status == "published" and after.title == BAD else None

    def listed(self, who: str, sent: Mapping[str, str]) -> set[int]:
        """The ids of what a list with these filters holds."""
        return {
            post.id
            for post in self.posts.values()
            if post.seen_by(who)
            and (post.status == sent["status"] if "status" in sent else post.status != "trash")
            and post.type == sent.get("type", post.type)
            and (post.is_featured or "featured" not in sent)
        }


@dataclass
class Walk:
    """Sends steps to a site, and holds each answer against the model."""

    clients: Mapping[str, Client]
    model: Model = field(default_factory=Model)

    async def take(self, step: Step, now: str) -> None:
        if step.act == "create":
            await self._create(step, now)
        elif step.act == "shelve":
            await self._shelve(step)
        elif self.model.posts:
            ids = sorted(self.model.posts)
            await self._change(self.model.posts[ids[step.which % len(ids)]], step, now)

    async def _create(self, step: Step, now: str) -> None:
        blank = Post(id=0, owner=step.who)
        refused = self.model.refusal(blank, step.who, step.body, new=True)
        answer = await self.clients[step.who].post("/posts", json={"title": GOOD, "content": CONTENT, **step.body})
        assert answer.status == (refused or 201), f"{step}: {answer.text}"
        if refused is None:
            made = replace(blank.after(step.body, now), id=answer.data["id"])
            self._keep(made, answer)

    async def _change(self, post: Post, step: Step, now: str) -> None:
        body = {"publish": {"status": "published"}, "delete": {}}.get(step.act, step.body)
        refused = self.model.refusal(post, step.who, body)
        if step.act == "delete" and refused == 422:
            refused = None
        answer = await self._send(post, step)
        assert answer.status == (refused or 200), f"{step} on {post}: {answer.text}"
        if refused is not None:
            return
        if step.act == "delete":
            self._delete(post, force=step.body.get("force", False))
        else:
            self._keep(post.after(body, now), answer)

    async def _shelve(self, step: Step) -> None:
        """Move a category below another; no more is asked of the answer than that it is one."""
        slugs = sorted(each["slug"] for each in (await self.clients["editor"].get("/categories")).data["items"])
        answer = await self.clients[step.who].patch(f"/categories/{slugs[step.which % len(slugs)]}", json=step.body)
        assert answer.status in ((200, 422) if step.who == "editor" else (403,)), answer.text

    async def _send(self, post: Post, step: Step) -> Answer:
        client, path = self.clients[step.who], f"/posts/{post.id}"
        if step.act == "update":
            return await client.patch(path, json=step.body)
        if step.act == "delete":
            return await client.delete(path, json=step.body)
        return await client.post(f"{path}/{step.act}", json=step.body)

    def _delete(self, post: Post, *, force: bool) -> None:
        if force:
            del self.model.posts[post.id]
        else:
            self.model.posts[post.id] = replace(post, status="trash")

    def _keep(self, post: Post, answer: Answer) -> None:
        self.model.posts[post.id] = post
        told = answer.data["post"]
        names = ("id", "title", "status", "visibility", "type", "is_featured", "published_at")
        assert {name: told[name] for name in names} == {name: getattr(post, name) for name in names}
