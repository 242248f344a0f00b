"""What a receiver gets, and what its answers do."""

import asyncio
import hmac
import json
from collections.abc import AsyncIterator
from hashlib import sha256

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from cms_host.api import CommandError, Logged, Outbox
from cms_host.testing import Site
from cms_sink_webhook_delivery import sink
from cms_sink_webhook_delivery.service import EntryService
from cms_sink_webhook_delivery.sink import NAME

from .receiving import OtherHappened, Receiver, ThingHappened, add, happen


async def log(site: Site) -> list[Logged]:
    return await Outbox(site.host.unit(), NAME).log(None, 100)


@pytest.mark.shows("events.body", "events.signature", "events.log", "entry.target", "entry.secret", "entry.log")
@pytest.mark.shows("delivery.headers")
async def test_the_event_arrives_signed_with_what_tells_it_apart(site: Site, receiver: Receiver) -> None:
    entry = await add(site, receiver.url, secret="a secret of 24 bytes, or")
    await happen(site, ThingHappened(7))

    ((request, body),) = receiver.got
    told = json.loads(body)
    assert (request.method, request.content_type, request.path) == ("POST", "application/json", "/hook")
    assert (told["event"], told["data"]) == ("thing_happened", {"number": 7})
    digest = hmac.new(entry.secret.encode(), body, sha256).hexdigest()
    assert request.headers["X-Service-Signature"] == f"sha256={digest}"
    assert request.headers["X-Service-Event"] == "thing_happened"
    assert request.headers["webhook-id"] == told["id"]
    assert request.headers["webhook-timestamp"] == str(site.clock.now() // 1_000_000)
    (logged,) = await log(site)
    assert (logged.ok, logged.delivery, logged.status) == (True, request.headers["X-Service-Delivery"], "delivered")
    assert (logged.record["status"], logged.record["answer"], logged.record["body"]) == (200, "thanks", body.decode())
    assert logged.record["headers"]["X-Service-Signature"] == f"sha256={digest}"


@pytest.mark.shows("events.subset", "entry.subset")
async def test_an_entry_gets_the_events_that_it_names_and_all_where_it_names_none(
    site: Site, receiver: Receiver
) -> None:
    await add(site, f"{receiver.url}/some", "other_happened")
    await add(site, f"{receiver.url}/all")
    await happen(site, ThingHappened(1), OtherHappened())

    got = sorted((request.path, request.headers["X-Service-Event"]) for request, _ in receiver.got)
    assert got == [("/hook/all", "other_happened"), ("/hook/all", "thing_happened"), ("/hook/some", "other_happened")]


@pytest.mark.shows("delivery.frozen", "delivery.headers")
async def test_every_attempt_has_the_same_body_and_the_same_ids(site: Site, receiver: Receiver) -> None:
    receiver.answer = lambda request: web.Response(status=500)
    await add(site, receiver.url)
    await happen(site, ThingHappened(1))
    site.clock.advance(10)
    await happen(site)

    assert len(receiver.got) == 2
    assert len({body for _, body in receiver.got}) == 1
    for name in ("X-Service-Delivery", "webhook-id", "X-Service-Signature"):
        assert len({request.headers[name] for request, _ in receiver.got}) == 1
    # The time is that of the attempt, and the signature covers it.
    for name in ("webhook-timestamp", "webhook-signature"):
        assert len({request.headers[name] for request, _ in receiver.got}) == 2


@pytest.mark.shows("delivery.success", "events.log", "entry.log")
@pytest.mark.parametrize(("status", "is_good"), [(200, True), (204, True), (301, False), (404, False), (503, False)])
async def test_only_a_status_of_200_to_299_is_success_and_redirects_are_not_followed(
    site: Site, receiver: Receiver, status: int, is_good: bool
) -> None:
    receiver.answer = lambda request: web.Response(status=status, headers={"Location": "/elsewhere"})
    await add(site, receiver.url)
    await happen(site, ThingHappened(1))

    assert [(request.path, request.method) for request, _ in receiver.got] == [("/hook", "POST")]
    assert [(each.ok, each.record["status"]) for each in await log(site)] == [(is_good, status)]


@pytest.mark.shows("delivery.gone")
async def test_an_answer_of_410_pauses_the_entry_until_it_is_resumed(site: Site, receiver: Receiver) -> None:
    receiver.answer = lambda request: web.Response(status=410)
    entry = await add(site, receiver.url)
    await happen(site, ThingHappened(1), ThingHappened(2))
    site.clock.advance(100_000)
    await happen(site)
    assert len(receiver.got) == 1
    (record,) = await site.host.unit().get(EntryService).records()
    assert (record["active"], record["why"]) == (False, "the receiver wants nothing any more")

    receiver.answer = lambda request: web.Response()
    async with site.host.unit().write() as unit:
        await unit.get(EntryService).resume(entry.id)
    await happen(site)
    assert sorted(json.loads(body)["data"]["number"] for _, body in receiver.got) == [1, 1, 2]


@pytest.mark.shows("delivery.retries.asked")
async def test_a_receiver_says_when_to_try_again(site: Site, receiver: Receiver) -> None:
    receiver.answer = lambda request: web.Response(status=429, headers={"Retry-After": "120"})
    await add(site, receiver.url)
    await happen(site, ThingHappened(1))
    site.clock.advance(119)
    await happen(site)
    assert len(receiver.got) == 1
    site.clock.advance(2)
    await happen(site)
    assert len(receiver.got) == 2


@pytest.mark.shows("delivery.timeout")
async def test_a_receiver_that_never_answers_is_left(
    site: Site, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sink.PATIENCE == 10
    monkeypatch.setattr(sink, "PATIENCE", 0.3)
    receiver.door.clear()
    await add(site, receiver.url)
    await happen(site, ThingHappened(1))

    assert [each.record["error"] for each in await log(site)] == ["no answer within 0.3 seconds"]


@pytest.fixture
async def endless() -> AsyncIterator[str]:
    """The address of a receiver that never stops answering."""

    async def stream(request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse()
        await answer.prepare(request)
        while True:
            await answer.write(b"x" * 65_536)

    app = web.Application()
    app.router.add_post("/", stream)
    async with TestServer(app) as server:
        yield str(server.make_url("/"))


@pytest.mark.shows("delivery.answer")
async def test_of_an_answer_without_end_the_beginning_is_read_and_kept(site: Site, endless: str) -> None:
    await add(site, endless)
    await happen(site, ThingHappened(1))

    (logged,) = await log(site)
    assert (logged.ok, logged.record["answer"]) == (True, "x" * 4096)


@pytest.mark.shows("outgoing.saving")
@pytest.mark.parametrize(
    "url", ["http://127.0.0.1/", "http://[::1]/", "http://0x7f.1/", "http://localhost/", "http://169.254.169.254/meta"]
)
async def test_an_entry_with_a_private_address_is_kept_only_where_it_allows_one(site: Site, url: str) -> None:
    with pytest.raises(CommandError, match="which is not public"):
        await add(site, url, allow_private=False)
    assert await site.host.unit().get(EntryService).records() == []
    await add(site, url)
    assert [each["url"] for each in await site.host.unit().get(EntryService).records()] == [url]


async def test_what_is_no_answer_is_told_without_a_word_of_it(site: Site) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"SSH-2.0-peer\r\n")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        await add(site, f"http://127.0.0.1:{port}/")
        await happen(site, ThingHappened(1))

    (logged,) = await log(site)
    assert logged.record["error"] == "no answer that can be read (ClientResponseError)"
    assert "peer" not in str(logged.record)


@pytest.mark.shows("events.resend")
async def test_a_delivery_that_failed_for_good_is_sent_again_when_asked(site: Site, receiver: Receiver) -> None:
    receiver.answer = lambda request: web.Response(status=500)
    await add(site, receiver.url)
    await happen(site, ThingHappened(1))
    for _ in range(9):
        site.clock.advance(50_000)
        await happen(site)
    assert ({each.status for each in await log(site)}, len(receiver.got)) == ({"failed"}, 8)
    receiver.answer = lambda request: web.Response()
    async with site.host.unit().write() as unit:
        assert await unit.get(EntryService).outbox.resend(receiver.got[0][0].headers["X-Service-Delivery"])
    await happen(site)

    assert len({body for _, body in receiver.got}) == 1
    assert [each.ok for each in await log(site)] == [True] + [False] * 8
    assert {each.status for each in await log(site)} == {"delivered"}


async def test_a_delivery_is_sent_again_when_asked_with_the_same_body(site: Site, receiver: Receiver) -> None:
    await add(site, receiver.url)
    await happen(site, ThingHappened(1))
    async with site.host.unit().write() as unit:
        assert await unit.get(EntryService).outbox.resend(receiver.got[0][0].headers["X-Service-Delivery"])
        assert not await unit.get(EntryService).outbox.resend("no-such-delivery")
    await happen(site)

    (_, first), (_, second) = receiver.got
    assert first == second
    assert [each.ok for each in await log(site)] == [True, True]


async def test_what_has_happened_is_replayed_for_an_entry_that_came_later(site: Site, receiver: Receiver) -> None:
    await happen(site, ThingHappened(1))
    site.clock.advance(60)
    since = site.clock.now()
    await happen(site, ThingHappened(2), OtherHappened(), ThingHappened(3))
    entry = await add(site, receiver.url, "thing_happened")
    async with site.host.unit().write() as unit:
        assert await unit.get(EntryService).replay(entry.id, since) == 2
    await happen(site)

    assert [json.loads(body)["data"]["number"] for _, body in receiver.got] == [2, 3]


async def test_nothing_more_goes_to_an_entry_that_was_removed(site: Site, receiver: Receiver) -> None:
    receiver.answer = lambda request: web.Response(status=500)
    entry = await add(site, receiver.url)
    await happen(site, ThingHappened(1))
    async with site.host.unit().write() as unit:
        await unit.get(EntryService).remove(entry.id)
    site.clock.advance(100_000)
    await happen(site, ThingHappened(2))

    assert len(receiver.got) == 1
