"""Which operation emits which events, and what is in them (spec, Events; contract 7)."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from cms_host.api import Delivery, Result, UnitOfWork
from cms_host.testing import MakeSite, Site, dump
from cms_members.testing import became_member
from cms_posts.testing import LIKENESS, NOTED, article, created

SHOWN = (
    "id", "title", "slug", "type", "status", "visibility", "url", "author_id", "author_name", "excerpt",
    "featured_image", "published_at", "content_modified_at",
)  # fmt: skip


@dataclass
class Ear:
    """A sink that notes what it hears."""

    name: str = "ear"
    heard: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    async def deliver(self, unit: UnitOfWork, delivery: Delivery) -> Result:
        told = json.loads(delivery.event.body)
        self.heard.append((told["event"], told["data"]))
        return Result(ok=True)


@dataclass
class Heard:
    """A site, and what is heard of it."""

    site: Site
    ear: Ear

    async def since(self) -> list[tuple[str, dict[str, Any]]]:
        """The events since the last time."""
        await self.site.run_job("host.events")
        heard, self.ear.heard = self.ear.heard, []
        return heard

    async def kinds(self) -> list[str]:
        return [kind for kind, _ in await self.since()]


@pytest.fixture
async def heard(make_site: MakeSite) -> Heard:
    site = await make_site(disabled=LIKENESS)
    ear = Ear()
    site.host.event_sinks = {ear.name: ear}
    return Heard(site, ear)


@pytest.mark.shows("state.publish.again.event", "delivery.emitted")
async def test_each_operation_on_a_post_tells_what_readers_get_to_see_of_it(heard: Heard) -> None:
    editor = await heard.site.client("editor")
    later = {"scheduled_at": "2026-02-01 12:00:00"}
    steps: Sequence[tuple[str, str, dict[str, Any] | None, list[str]]] = [
        ("POST", "/posts", article(), []),
        ("PATCH", "/posts/1", {"excerpt": "A draft's"}, []),
        ("POST", "/posts/1/publish", None, ["post_published"]),
        ("POST", "/posts/1/publish", None, []),
        ("PATCH", "/posts/1", {"title": "Another walk along the harbour"}, ["post_updated"]),
        ("PATCH", "/posts/1", {"title": "Another walk along the harbour"}, []),
        ("PATCH", "/posts/1", {"comment_status": "closed"}, []),
        ("POST", "/posts/1/review", None, []),
        ("POST", "/posts/1/revisions/1/restore", None, ["post_updated"]),
        ("PATCH", "/posts/1", {"status": "draft"}, ["post_updated"]),
        ("PATCH", "/posts/1", {"status": "published"}, ["post_published"]),
        ("POST", "/posts/1/schedule", later, ["post_updated"]),
        ("POST", "/posts/1/publish", None, ["post_published"]),
        ("PATCH", "/posts/1", {"status": "trash"}, ["post_updated"]),
        ("PUT", "/posts/1", {"status": "published"}, ["post_published"]),
        ("DELETE", "/posts/1", None, ["post_deleted"]),
        ("DELETE", "/posts/1", None, []),
        ("DELETE", "/posts/1", {"force": True}, ["post_deleted"]),
        ("POST", "/posts", article(status="published"), ["post_published"]),
        ("POST", "/posts", article(title="Bad", status="published"), []),
        ("POST", "/posts/check", article(), []),
        ("POST", "/comments", {"post_id": 2, "content": "Well said."}, ["comment_created"]),
        ("PATCH", "/comments/1", {"status": "approved"}, []),
        ("DELETE", "/posts/2", {"force": True}, ["post_deleted"]),
    ]  # fmt: skip
    for number, (method, path, body, expected) in enumerate(steps):
        answer = await editor.request(method, path, **({} if body is None else {"json": body}))
        assert answer.status < 300 or not expected, f"{number}: {answer.text}"
        assert await heard.kinds() == expected, f"{number}: {method} {path} {body}"


@pytest.mark.shows("delivery.emitted")
async def test_actions_of_webhooks_tell_what_other_ways_to_the_same_tell(heard: Heard) -> None:
    editor = await heard.site.client("editor")
    made = await editor.post("/webhook/draft", json=article())
    stored = {"id": made.data["id"]}
    assert await heard.kinds() == []
    several = {"items": [article(title="A walk by the river"), article(title="Bad"), article(status="draft")]}
    steps: Sequence[tuple[str, dict[str, Any], list[str]]] = [
        ("publish", stored, ["post_published"]),
        ("publish", stored, []),
        ("schedule", {**stored, "scheduled_at": "2026-02-01 12:00:00"}, ["post_updated"]),
        ("schedule", article(scheduled_at="2026-02-01 12:00:00"), []),
        ("publish", article(title="A walk in the hills"), ["post_published"]),
        ("publish", article(title="Bad"), []),
        ("bulk-publish", several, ["post_published"]),
        ("queue-pending", {}, []),
    ]
    for number, (action, body, expected) in enumerate(steps):
        answer = await editor.post(f"/webhook/{action}", json=body)
        assert answer.status < 300 or not expected, f"{number}: {answer.text}"
        assert await heard.kinds() == expected, f"{number}: {action} {body}"


@pytest.mark.shows("events.post_published", "events.post_updated", "events.post_deleted")
async def test_posts_are_told_with_what_readers_see(heard: Heard) -> None:
    editor = await heard.site.client("editor")
    post = await created(editor, status="published")
    await editor.patch("/posts/1", json={"title": "Another walk along the harbour", "excerpt": "Short"})
    await editor.patch("/posts/1", json={"status": "draft"})
    await editor.delete("/posts/1")
    await editor.delete("/posts/1", json={"force": True})
    told = await heard.since()
    assert [kind for kind, _ in told] == ["post_published", *["post_updated"] * 2, *["post_deleted"] * 2]
    published, updated, withdrawn, trashed, removed = [data for _, data in told]

    record = {name: post[name] for name in SHOWN if name != "url"}
    assert published == {**record, "url": f"/{post['slug']}"}
    assert tuple(published) == SHOWN
    assert (updated["title"], updated["changed_fields"]) == ("Another walk along the harbour", ["title", "excerpt"])
    assert tuple(updated) == (*SHOWN, "changed_fields")
    assert (withdrawn["status"], withdrawn["changed_fields"]) == ("draft", ["status"])
    named = {"id": 1, "title": "Another walk along the harbour", "slug": post["slug"], "type": "post"}
    assert (trashed, removed) == ({**named, "permanent": False}, {**named, "permanent": True})


@pytest.mark.parametrize("visibility", [{"visibility": "private"}, {"password": "open sesame"}])
@pytest.mark.shows("delivery.hidden")
async def test_what_not_everybody_may_read_is_told_without_its_excerpt(
    heard: Heard, visibility: dict[str, str]
) -> None:
    await created(await heard.site.client("editor"), status="published", excerpt="Secret", **visibility)
    ((_, told),) = await heard.since()

    assert told["excerpt"] == ""
    assert "Secret" not in json.dumps(told)


@pytest.mark.shows("delivery.emitted")
async def test_the_scheduler_tells_as_a_request_does(heard: Heard) -> None:
    await created(await heard.site.client("editor"), scheduled_at="2026-01-15 13:00:00")
    heard.site.clock.advance(3_600)
    await heard.site.run_job("posts.scheduler")
    ((kind, told),) = await heard.since()

    assert (kind, told["published_at"]) == ("post_published", "2026-01-15 13:00:00")


@pytest.mark.shows("events.comment_created")
async def test_a_comment_is_told_with_four_fields(heard: Heard) -> None:
    editor = await heard.site.client("editor")
    await created(editor)
    answer = await editor.post("/comments", json={"post_id": 1, "content": "Well said.", "author_name": "Ayşe"})
    told = {"id": answer.data["id"], "post_id": 1, "author_name": "Ayşe", "status": "pending"}

    assert await heard.since() == [("comment_created", told)]


@pytest.mark.shows("events.member_registered")
async def test_a_member_who_confirmed_the_address_is_told_with_three_fields(heard: Heard) -> None:
    await became_member(heard.site, "Ayşe", "ayse@example.org")
    told = await heard.since()
    listed = await (await heard.site.client("admin")).get("/users?search=ayse@example.org")
    (member,) = listed.data["items"]

    assert told == [("member_registered", {"id": member["id"], "name": "Ayşe", "email": "ayse@example.org"})]


@pytest.mark.shows("events.five")
async def test_there_are_five_events(heard: Heard) -> None:
    posts = {"post_published", "post_updated", "post_deleted"}

    assert set(heard.site.host.event_kinds) == posts | {"comment_created", "member_registered"}


@pytest.mark.shows("delivery.transaction")
async def test_a_change_that_can_not_be_told_is_not_made(heard: Heard, database_url: str) -> None:
    editor = await heard.site.client("editor")
    await created(editor, status="published")
    heard.site.host.event_kinds = {}
    before = dump(database_url, without=NOTED)
    answers = [
        await editor.post("/posts", json=article(title="A walk by the river", status="published")),
        await editor.patch("/posts/1", json={"title": "Another walk along the harbour", "tags": ["new"]}),
        await editor.patch("/posts/1", json={"status": "draft"}),
        await editor.delete("/posts/1"),
        await editor.delete("/posts/1", json={"force": True}),
        await editor.post("/comments", json={"post_id": 1, "content": "Well said."}),
    ]

    assert [answer.status for answer in answers] == [500] * len(answers)
    assert dump(database_url, without=NOTED) == before


async def test_an_event_is_told_under_an_idempotency_key_once(heard: Heard) -> None:
    editor = await heard.site.client("editor")
    for _ in range(2):
        sent = {"json": article(status="published"), "headers": {"Idempotency-Key": "one"}}
        assert (await editor.post("/posts", **sent)).status == 201

    assert await heard.kinds() == ["post_published"]
