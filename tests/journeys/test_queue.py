"""Twenty files go from a writer's folder through the content queue to readers, by the real commands and a real site."""

import os
import re
from pathlib import Path
from typing import Any

import pytest

from cms_host.testing import Databases
from tests.host.process.installation import Installation, Running

from .conftest import call

ARTICLES = Path(__file__).parents[2] / "plugins" / "content_queue" / "tests" / "articles"
WRITERS = {"ayse": "author", "mehmet": "editor"}


@pytest.fixture(params=Databases.KINDS)
def newsroom(request: pytest.FixtureRequest, databases: Databases, tmp_path: Path) -> Installation:
    """A site with every plugin that was never started."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CMS_")}
    environment |= {"PYTHONWARNINGS": "error", "API_RATE_LIMIT": "0", "CMS_DATABASE_URL": databases.make(request.param)}
    return Installation(tmp_path, environment)


def hire(running: Running, key: str) -> None:
    """Accounts for the writers that the articles name."""
    for username, role in WRITERS.items():
        body = {"username": username, "email": f"{username}@example.org", "role": role}
        assert call(running, "POST", "/users", key, body).status == 201


def waiting(running: Running, key: str) -> list[dict[str, Any]]:
    """All that `queue-pending` tells of, page by page."""
    found: list[dict[str, Any]] = []
    for page in (1, 2, 3):
        answer = call(running, "POST", "/webhook/queue-pending", key, {"page": page, "per_page": 8})
        assert answer.status == 200, answer.json
        found += answer.json["data"]["items"]
        assert answer.json["data"]["current_page"] == page
    assert answer.json["data"]["total"] == len(found)
    return found


def published(running: Running, key: str) -> list[dict[str, Any]]:
    path = "/posts?status=published&with_relations=1&per_page=100&order_by=id&order_dir=asc"
    posts: list[dict[str, Any]] = call(running, "GET", path, key).json["data"]["items"]
    return posts


@pytest.mark.slow
@pytest.mark.shows("queue.journey", "queue.add", "queue.publish", "queue.owner")
def test_twenty_files_are_queued_listed_approved_and_published(newsroom: Installation) -> None:
    running = newsroom.start()
    running.wait_for("curl ")
    key = newsroom.key
    hire(running, key)

    added = newsroom.run("queue", "add", str(ARTICLES))
    assert added.returncode == 0, added.stderr
    assert [line.split(":")[0] for line in added.stdout.splitlines()] == [f"Queued {n}" for n in range(1, 21)]
    assert {line.split(": ")[2] for line in added.stderr.splitlines()} == {"unknown front matter is kept aside"}
    items = waiting(running, key)
    assert [item["id"] for item in items] == list(range(1, 21))
    assert all(item.keys() == {"id", "title", "source", "format", "created_at"} for item in items)
    assert {item["format"] for item in items} == {"markdown"}
    assert published(running, key) == []

    approved = newsroom.run("queue", "approve", *[str(item["id"]) for item in items], "--publish")
    assert approved.returncode == 1
    refused, summary = [line for line in approved.stderr.splitlines() if line.startswith("Error: ")]
    assert summary == "Error: 1 of 20 items could not be published"
    draft = re.search(r"so post (\d+) is a draft: ymyl_no_reviewer: ", refused)
    assert draft is not None, refused
    assert waiting(running, key) == []
    assert len(published(running, key)) == 19

    # What the gate wants is an editor's eye, and then it lets the last one pass.
    assert call(running, "POST", f"/posts/{draft[1]}/review", key, {}).status == 200
    assert call(running, "POST", f"/posts/{draft[1]}/publish", key, {}).status == 200
    posts = published(running, key)
    assert [post["title"] for post in posts] == [item["title"] for item in items]
    assert {post["author_name"] for post in posts} == {"admin", *WRITERS}
    assert all(post["categories"] and "<h2>" in post["content"] for post in posts)
    assert running.end() == 0
