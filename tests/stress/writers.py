"""Writers that create, update, publish, trash and delete posts of their own as fast as they are answered."""

import hashlib
from dataclasses import dataclass
from random import Random
from typing import Any

from aiohttp import ClientError, ClientSession

from tests.stress.ledger import Ledger, State
from tests.stress.texts import article, title

TAGS = [f"Konu {number}" for number in range(12)]
#: As often as they are named.
ACTS = ("create", "create", "create", "update", "update", "update", "publish", "publish", "trash", "force")


@dataclass
class Writer:
    """One client with one request at a time."""

    number: int
    chance: Random
    ledger: Ledger
    http: ClientSession
    #: Ids of what it may file posts under.
    categories: list[int]

    async def write_until_cut_off(self) -> None:
        """Until the service is gone in the middle of something."""
        try:
            while True:
                await self._write()
        except (ClientError, OSError):
            return

    async def _write(self) -> None:
        own = self.ledger.of(self.number)
        act = self.chance.choice(ACTS) if own else "create"
        if act == "create":
            body, after = self._text(None)
            await self._send(act, "POST", "/posts", body, None, after)
            return
        post = self.chance.choice(own)
        before = self.ledger.posts[post]
        if act == "update":
            body, after = self._text(before)
            await self._send(act, "PATCH", f"/posts/{post}", body, post, after)
        elif act == "publish":
            after = before._replace(status="published", stamped=True)
            await self._send(act, "POST", f"/posts/{post}/publish", {}, post, after)
        else:
            gone = None if act == "force" else before._replace(status="trash")
            await self._send(act, "DELETE", f"/posts/{post}", {"force": act == "force"}, post, gone)

    def _text(self, before: State | None) -> tuple[dict[str, Any], State]:
        """The body of a post whose every part is new, and what it leads to."""
        content, named = article(self.chance), title(self.chance)
        digest = hashlib.sha256(content.encode()).hexdigest()
        tags = self.chance.sample(TAGS, self.chance.randrange(4))
        categories = self.chance.sample(self.categories, self.chance.randrange(3))
        body = {
            "title": named,
            "content": content,
            "editorial": {"original_notes": digest},
            "seo": {"meta_title": digest[:40]},
            "tags": tags,
            "categories": categories,
        }
        return body, State(
            status=before.status if before else "draft",
            title=named,
            digest=digest,
            noted=digest,
            meta_title=digest[:40],
            tags=frozenset(tags),
            categories=frozenset(categories),
            revisions=(*before.revisions, before.title) if before else (),
            stamped=before is not None and before.stamped,
        )

    async def _send(
        self, act: str, method: str, path: str, body: dict[str, Any], post: int | None, after: State | None
    ) -> None:
        self.ledger.sent(self.number, post, after)
        async with self.http.request(method, f"/api/v1{path}", json=body) as response:
            answer = await response.json()
        self.ledger.answers[act, response.status] += 1
        if response.status < 300:
            self.ledger.acknowledged(self.number, post or answer["data"]["id"])
        else:
            self.ledger.refused(self.number, f"{act} of {post}: {answer}")
