"""POST /posts/{id}/publish."""

import asyncio

from cms_host.testing import Site, dump
from cms_posts.testing import NOTED, created


async def test_publish_passes_the_gate_and_stamps_the_time(site: Site) -> None:
    client = await site.client("author")
    await created(client)
    site.clock.advance(60)
    answer = await client.post("/posts/1/publish")
    assert answer.status == 200
    assert answer.data["post"]["status"] == "published"
    assert answer.data["post"]["published_at"] == "2026-01-15 12:01:00"
    assert answer.data["post"]["content_modified_at"] == "2026-01-15T12:00:00.000000+00:00"


async def test_publish_refused_writes_nothing(site: Site, database_url: str) -> None:
    client = await site.client("author")
    await created(client, title="Short", content="<p>Short.</p>")
    before = dump(database_url, NOTED)
    answer = await client.post("/posts/1/publish")
    assert answer.status == 422
    assert [block["code"] for block in answer.json["blocks"]] == ["short_content", "short_title"]
    assert dump(database_url, NOTED) == before


async def test_publish_tells_what_was_measured_and_what_is_required(site: Site) -> None:
    client = await site.client("author")
    await created(client, title="Short")
    block = (await client.post("/posts/1/publish")).json["blocks"][0]
    assert "5" in block["message_en"]
    assert "10" in block["message_en"]
    assert "5" in block["message_tr"]
    assert "10" in block["message_tr"]


async def test_publish_again_succeeds_and_keeps_the_first_time(site: Site) -> None:
    client = await site.client("author")
    await created(client, status="published")
    site.clock.advance(3600)
    answer = await client.post("/posts/1/publish")
    assert answer.status == 200
    assert answer.data["post"]["published_at"] == "2026-01-15 12:00:00"


async def test_publish_after_a_pause_keeps_the_first_time(site: Site) -> None:
    client = await site.client("author")
    await created(client, status="published")
    await client.patch("/posts/1", json={"status": "draft"})
    site.clock.advance(3600)
    assert (await client.post("/posts/1/publish")).data["post"]["published_at"] == "2026-01-15 12:00:00"


async def test_publish_brings_a_post_back_from_the_trash(site: Site) -> None:
    client = await site.client("author")
    await created(client)
    await client.delete("/posts/1")
    assert (await client.post("/posts/1/publish")).data["post"]["status"] == "published"


async def test_publish_obeys_a_changed_setting_at_once(site: Site) -> None:
    client = await site.client("author")
    await created(client, title="Short")
    await site.set(**{"gate.short_title.minimum": 3})
    assert (await client.post("/posts/1/publish")).status == 200


async def test_publish_of_anothers_post_is_refused(site: Site) -> None:
    await created(await site.client("author"), status="published")
    other = await site.client("author", "other")
    answer = await other.post("/posts/1/publish")
    assert (answer.status, answer.error["message"]) == (403, "You can only modify your own content")
    assert (await (await site.client("editor")).post("/posts/1/publish")).status == 200


async def test_publish_without_an_id_is_400(site: Site) -> None:
    client = await site.client("editor")
    for path in ("/posts//publish", "/posts//schedule"):
        answer = await client.post(path)
        assert (answer.status, answer.error["message"]) == (400, "Missing post id")
    assert (await client.get("/posts//revisions")).status == 400


async def test_publish_races_leave_one_state_and_true_counts(site: Site) -> None:
    client = await site.client("author")
    for number in range(4):
        await created(client, title=f"A title that is long enough {number}")
    answers = await asyncio.gather(*(client.post(f"/posts/{n % 4 + 1}/publish") for n in range(16)))
    assert {answer.status for answer in answers} == {200}
    assert (await client.get("/posts?status=published")).data["total"] == 4
    assert (await client.get("/posts?status=draft")).data["total"] == 0
