"""Bodies of posts for tests, ours and those of whoever builds on posts."""

from hashlib import sha256
from typing import Any

from cms_host.testing import Answer, Client

SENTENCE = "The boats come in with the morning tide and the market opens. "
TITLE = "A walk along the harbour"
#: Plugins that let no two published posts be alike: for tests of other things, whose posts are.
LIKENESS = ("gate-duplicate-title", "gate-similar-title", "gate-similar-content")


def content(title: str = TITLE) -> str:
    """Passes every rule, warnings included, beside what it gives for other titles."""
    names = (sha256(f"{title}{number}".encode()).hexdigest()[:6] for number in range(21))
    paragraph = " ".join(f"{SENTENCE}Aboard {name} nobody sleeps." for name in names)
    return f'<h2>Morning</h2><p>{paragraph}</p><p><a href="/markets">All markets</a></p>'


CONTENT = content()


def unlike(key: object) -> str:
    """A title that no other one is like, the same for the same key."""
    digits = sha256(str(key).encode()).hexdigest()
    return f"The {digits[:8]} of {digits[8:16]} and {digits[16:24]}"


#: Tables in which a refusal is noted, which writes nothing else.
NOTED = ("gate_counts", "gate_reports")


#: A cover that passes the gate without anything being stored: of another site, which nobody asks for it.
COVER = "https://images.example/harbour.jpg"


def article(**changes: Any) -> dict[str, Any]:
    """The body of a post that the gate lets pass, with the changes; its text is another one for each title."""
    title = changes.get("title", TITLE)
    return {"title": title, "content": content(str(title)), "featured_image": COVER, **changes}


async def created(client: Client, **changes: Any) -> dict[str, Any]:
    """The record of a new post."""
    answer = await client.post("/posts", json=article(**changes))
    assert answer.status == 201, answer.text
    record: dict[str, Any] = answer.data["post"]
    return record


async def publish(client: Client, **changes: Any) -> Answer:
    """Send a new post that is to be published at once."""
    return await client.post("/posts", json=article(status="published", **changes))


def refusal(answer: Answer) -> list[str]:
    """The codes of what refused a publish; empty where nothing did."""
    assert answer.status in (200, 201, 422), answer.text
    return [] if answer.status != 422 else [block["code"] for block in answer.json["blocks"]]
