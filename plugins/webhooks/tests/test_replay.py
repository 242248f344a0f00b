"""A signed call is carried out once, whoever sends it again (contract 6)."""

import asyncio
import json
from typing import Any

import pytest

from cms_host.testing import MakeSite, Site, dump
from cms_posts.testing import article, created, unlike

from .conftest import SECRET, SQLITE_ALONE, USER, open_to, signed, total

SHORT = {"title": "Short", "content": "<p>Short.</p>"}
MINUTE = 60
LATER = "2026-06-01 09:30:00"


@pytest.mark.parametrize("action", ["draft", "publish", "schedule"])
@pytest.mark.shows("actions.signature.replay")
async def test_the_same_again_within_ten_minutes_gets_the_first_answer(
    site: Site, database_url: str, action: str
) -> None:
    await open_to(site)
    body = article(**({"scheduled_at": LATER} if action == "schedule" else {}))
    first = await signed(site, action, body)
    before = dump(database_url)
    site.clock.advance(9 * MINUTE)
    again = await signed(site, action, body)

    assert (first.status, again.status, again.body) == (201, 201, first.body)
    assert (again.headers.get("Idempotent-Replayed"), "Idempotent-Replayed" in first.headers) == ("true", False)
    assert dump(database_url) == before


@pytest.mark.shows("actions.signature.replay")
async def test_after_ten_minutes_it_is_another_call(site: Site) -> None:
    await open_to(site)
    first = await signed(site, "draft", article())
    site.clock.advance(10 * MINUTE + 1)
    again = await signed(site, "draft", article())

    assert (first.status, again.status) == (201, 201)
    assert first.data["id"] != again.data["id"]


@pytest.mark.shows("actions.signature.replay")
async def test_twelve_at_once_on_two_hosts_make_one_post(make_site: MakeSite) -> None:
    sites = [await make_site(), await make_site()]
    await open_to(sites[0])
    answers = await asyncio.gather(*(signed(sites[n % 2], "publish", article()) for n in range(12)))
    made = {answer.body for answer in answers if answer.status == 201}

    assert {answer.status for answer in answers} <= {201, 409}
    assert len(made) == 1
    assert await total(sites[0]) == 1


@SQLITE_ALONE
@pytest.mark.shows("actions.signature.replay")
async def test_refused_call_may_be_sent_again(site: Site) -> None:
    await open_to(site)
    assert (await signed(site, "publish", SHORT)).status == 422
    await site.set(**{"gate.short_title.minimum": 0, "gate.short_content.minimum": 0})

    assert (await signed(site, "publish", SHORT)).status == 201


@SQLITE_ALONE
async def test_signature_is_of_one_action_as_of_one_call(site: Site) -> None:
    """Without a timestamp the action is not signed; each action then remembers for itself."""
    await open_to(site)
    statuses = [(await signed(site, action, article())).status for action in ("draft", "publish", "draft", "publish")]

    assert (statuses, await total(site)) == ([201] * 4, 2)
    assert [(await signed(site, f"draft{end}", article())).status for end in ("/", "")] == [201] * 2
    assert await total(site) == 2


@SQLITE_ALONE
@pytest.mark.parametrize("headers", [{"Idempotency-Key": "another"}, {"X-Request-Id": "another-request"}])
async def test_headers_that_are_not_signed_make_no_other_call_of_it(site: Site, headers: dict[str, str]) -> None:
    await open_to(site)
    first = await signed(site, "draft", article(), **{"Idempotency-Key": "mine"})
    again = await signed(site, "draft", article(), **headers)

    assert (first.status, again.status, again.body, await total(site)) == (201, 201, first.body, 1)


@SQLITE_ALONE
async def test_idempotency_key_holds_for_signed_calls_as_for_others(site: Site) -> None:
    """A caller that signs anew, with a later timestamp, still means the same call."""
    await open_to(site)
    now, key = 1_768_478_400, {"Idempotency-Key": "mine"}
    first = await signed(site, "draft", article(), at=now, **key)
    again = await signed(site, "draft", article(), at=now + 1, **key)
    other = await signed(site, "draft", article(title=unlike("other")), at=now + 2, **key)

    assert (first.status, again.body, other.status, await total(site)) == (201, first.body, 409, 1)


@SQLITE_ALONE
async def test_keys_of_clients_never_meet_signatures(site: Site) -> None:
    await open_to(site)
    client = await site.client("author", USER)
    await created(client, title=unlike("first"))
    first = await signed(site, "draft", article())
    repeated = await client.post("/webhook/draft", json=article())

    assert (first.status, repeated.status) == (201, 201)
    assert first.data["id"] != repeated.data["id"]


async def test_bulk_items_are_remembered_one_by_one(site: Site) -> None:
    await open_to(site)
    body: dict[str, Any] = {"items": [article(title=unlike("one")), SHORT]}
    first = await signed(site, "bulk-publish", body)
    await site.set(**{"gate.short_title.minimum": 0, "gate.short_content.minimum": 0})
    again = await signed(site, "bulk-publish", body)

    assert (first.data["succeeded"], again.data["succeeded"]) == (1, 2)
    assert again.data["results"][0] == first.data["results"][0]
    assert await total(site) == 2
    third = await signed(site, "bulk-publish", body)
    assert (third.json, third.headers.get("Idempotent-Replayed")) == (again.json, "true")


@SQLITE_ALONE
async def test_nothing_of_a_secret_or_signature_is_logged(site: Site, log_lines: list[str]) -> None:
    await open_to(site)
    await signed(site, "draft", article())
    await signed(site, "publish", SHORT)
    told = json.dumps(log_lines)

    assert SECRET not in told
