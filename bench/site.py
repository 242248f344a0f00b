"""The service under measure as the works see it: an address, two keys, and how many posts it has."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import islice
from typing import Any

from bench.articles import Article, articles
from bench.client import Client, WrongAnswerError
from bench.photographs import png

#: Connections that create drafts at once while nothing is measured.
_HANDS = 8


class Site:
    """A running service: `cms-host demo` put in `posts` posts, most of them published, with the ids 1 to `posts`."""

    def __init__(self, port: int, editor_key: str, admin_key: str, posts: int, pid: int) -> None:
        self.port = port
        self.editor_key = editor_key
        self.admin_key = admin_key
        self.posts = posts
        #: The process that all others of the service are below of.
        self.pid = pid

    def editor(self) -> Client:
        """Return a new client with the editor's key."""
        return Client(self.port, self.editor_key)

    def count(self, status: str) -> int:
        """Return how many posts have `status`."""
        with self.editor() as client:
            return int(client.get(f"/api/v1/posts?status={status}&per_page=1")["total"])

    def require_health(self) -> None:
        """Raise WrongAnswerError unless an administrator is told that all is well."""
        with Client(self.port, self.admin_key) as client:
            health = client.get("/api/v1/health")
        if health["status"] != "ok":
            raise WrongAnswerError(f"GET /api/v1/health: {health['status']}, checks {health['checks']}")

    def make_drafts(self, count: int) -> list[int]:
        """Create `count` drafts that pass the whole gate, none like another, and return their ids.

        Each has a stored cover, a stored image in the text, headings, a link to another post and over 2,000
        visible characters, so that no rule refuses it or warns of it.
        """
        found = list(islice(self._articles, count))
        with ThreadPoolExecutor(_HANDS) as hands:
            shares = hands.map(self._create, [found[hand::_HANDS] for hand in range(_HANDS)])
            return [number for share in shares for number in share]

    def _create(self, share: Sequence[Article]) -> list[int]:
        with self.editor() as client:
            return [int(client.post("/api/v1/posts", self._body(one), status=201)["id"]) for one in share]

    def _body(self, article: Article) -> dict[str, str]:
        return {"title": article.title, "content": article.content, "featured_image": self._cover["path"]}

    @cached_property
    def _articles(self) -> Iterator[Article]:
        with self.editor() as client:
            slug = client.get("/api/v1/posts/1")["slug"]
        return articles(seed=13, image=self._cover["urls"]["original"], link=f"/{slug}")

    @cached_property
    def _cover(self) -> dict[str, Any]:
        image = png(64, 48, 8, 0, [b"\x80" * 64] * 48)
        with self.editor() as client:
            if not client.has("/api/v1/media"):
                # Without media nothing can be stored; of pictures of other sites no rule asks whether they exist.
                elsewhere = "https://images.example/cover.png"
                return {"path": elsewhere, "urls": {"original": elsewhere}}
            record: dict[str, Any] = client.upload("/api/v1/media", "cover.png", image, "image/png")
        return record
