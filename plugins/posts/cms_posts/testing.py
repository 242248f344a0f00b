"""Bodies of posts for tests, ours and those of whoever builds on posts."""

from typing import Any

from cms_host.testing import Client

SENTENCE = "The boats come in with the morning tide and the market opens. "
#: Passes every rule, warnings included.
CONTENT = f'<h2>Morning</h2><p>{SENTENCE * 30}</p><p><a href="/markets">All markets</a></p>'

#: Tables in which a refusal is noted, which writes nothing else.
NOTED = ("gate_counts", "gate_reports")


def article(**changes: Any) -> dict[str, Any]:
    """The body of a post that the gate lets pass, with the changes."""
    return {"title": "A walk along the harbour", "content": CONTENT, "featured_image": "2026/01/a.jpg", **changes}


async def created(client: Client, **changes: Any) -> dict[str, Any]:
    """The record of a new post."""
    answer = await client.post("/posts", json=article(**changes))
    assert answer.status == 201, answer.text
    record: dict[str, Any] = answer.data["post"]
    return record
