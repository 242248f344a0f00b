"""What the tests of the scheduler share: a rule that they lead by the hand, and a record of what was saved."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from cms_host.api import Candidate, Finding, Gate, GateRule, PostChange, PostObserver, Reader, Transaction
from cms_host.testing import Client, MakeSite, Site
from cms_posts.testing import article

DUE = "2026-01-15 13:00:00"
#: Seconds from the clock's first moment to that time.
HOUR = 3600
JOB = "posts.scheduler"


@dataclass
class Doorman(GateRule):
    """Refuses titles that begin with Bad, crashes on those that begin with Odd, and keeps what else it was asked."""

    code = "test.doorman"
    kind = "block"
    asked: list[Candidate] = field(default_factory=list)
    #: Done once, before the next publishing transaction begins.
    meanwhile: Callable[[], Awaitable[Any]] | None = None

    async def prepare(self, candidate: Candidate) -> None:
        act, self.meanwhile = self.meanwhile, None
        if act is not None:
            await act()

    async def check(self, candidate: Candidate, db: Reader) -> list[Finding]:
        self.asked.append(candidate)
        if candidate.title.startswith("Odd"):
            raise ZeroDivisionError
        return [Finding("kötü", "bad", measured=1, required=2)] if candidate.title.startswith("Bad") else []


@dataclass
class Witness(PostObserver):
    """Remembers who was published in which order, as its transaction saw it; may fail on a title."""

    published: list[int] = field(default_factory=list)
    fails_on: str = "\0"

    async def saved(self, change: PostChange, tx: Transaction) -> None:
        if change.title.startswith(self.fails_on):
            raise RuntimeError("an observer's fault")
        if change.is_listed and change.due_at is None:
            self.published.append(change.post_id)


@dataclass
class Desk:
    """A site whose only gate rule is a doorman, and whose only observer a witness."""

    site: Site
    doorman: Doorman
    witness: Witness

    async def wait(self, seconds: float) -> None:
        """Let time pass, and the scheduler look."""
        self.site.clock.advance(seconds)
        await self.site.run_job(JOB)

    async def post(self, post_id: int = 1) -> dict[str, Any]:
        answer = await (await self.site.client("admin")).get(f"/posts/{post_id}")
        record: dict[str, Any] = answer.data
        return record

    async def statuses(self) -> dict[int, str]:
        """The status of every post, by its id."""
        listed = await (await self.site.client("admin")).get("/posts?per_page=100&order_by=id&order_dir=asc")
        return {record["id"]: record["status"] for record in listed.data["items"]}


async def open_desk(make_site: MakeSite, **options: Any) -> Desk:
    """Each desk of a test is another host on the same database."""
    desk = Desk(await make_site(**options), Doorman(), Witness())
    desk.site.host.gate = Gate([desk.doorman], timeout=60)
    desk.site.host.post_observers = [desk.witness]
    return desk


async def scheduled(client: Client, title: str = "A walk along the harbour", due: str = DUE, **fields: Any) -> int:
    """The id of a new post that is due."""
    answer = await client.post("/posts", json=article(title=title, scheduled_at=due, **fields))
    assert answer.status == 201, answer.text
    post_id: int = answer.data["id"]
    return post_id
