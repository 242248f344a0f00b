"""Nobody gets this service to ask where only it can (contract 6 and 7).

Names are looked up by DNS messages on a socket: the machine's own resolver can't be pointed elsewhere by one process,
and what a resolver object made up in memory would leave out is just that two look-ups of one name may differ.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from ipaddress import ip_network
from typing import Any, NamedTuple

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from cms_host.api import CommandError, Outbox, emit
from cms_host.fetch import Fetcher, Unreachable
from cms_host.testing import MakeSite, Site
from cms_posts.events import PostDeleted
from cms_posts.testing import article, unlike
from cms_sink_webhook_delivery.service import EntryService
from cms_sink_webhook_delivery.sink import NAME

from .addresses import DENIED, SPELT, ends, spellings
from .network import FAMILIES, A, Ear, Lookup, NameServer, naming

#: Where a source stands that may be asked, as if it were a public one.
SOURCE = "127.0.0.2"
ALLOWED = f"{SOURCE}/32"
#: Seconds that nothing here takes.
ENOUGH = 60.0


class Canary:
    """Listens where nobody may be led."""

    def __init__(self) -> None:
        self.seen = 0
        self.port = 0

    async def see(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.seen += 1
        writer.close()


@pytest.fixture
async def canary() -> AsyncIterator[Canary]:
    """On all addresses of this machine, of both families."""
    canary = Canary()
    async with await asyncio.start_server(canary.see, "0.0.0.0", 0) as server:  # noqa: S104 - 0.0.0.0 is one to try.
        canary.port = server.sockets[0].getsockname()[1]
        async with await asyncio.start_server(canary.see, "::1", canary.port):
            yield canary
    assert canary.seen == 0


@pytest.fixture(scope="module")
def ear() -> Ear:
    return Ear()


class Source(NamedTuple):
    """A host that may be asked, and sends whoever asks `/to?<url>` on."""

    port: int
    seen: list[str]

    def leading_to(self, url: str) -> str:
        return f"http://{SOURCE}:{self.port}/to?{url}"


@pytest.fixture
async def source() -> AsyncIterator[Source]:
    seen: list[str] = []

    async def answer(request: web.Request) -> web.Response:
        seen.append(request.path)
        if request.path == "/to":
            return web.Response(status=302, headers={"Location": request.rel_url.query_string})
        return web.Response(text="well")

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    async with TestServer(app, host=SOURCE) as server:
        assert server.port is not None
        yield Source(server.port, seen)


class Names:
    """What the name server says of a name, a look-up after the other; the last answer from then on."""

    def __init__(self) -> None:
        self.answers: dict[str, list[list[str]]] = {}
        #: What it says of all other names.
        self.others: list[str] = []
        self._asked: Counter[str] = Counter()

    def __call__(self, name: str) -> list[str]:
        answers = self.answers.get(name, [self.others])
        # One question for each family of addresses.
        number = self._asked[name] // len(FAMILIES)
        self._asked[name] += 1
        return answers[min(number, len(answers) - 1)]


class Named(NamedTuple):
    """A fetcher that asks the test's name server."""

    names: Names
    server: NameServer
    lookup: Lookup

    @property
    def fetcher(self) -> Fetcher:
        return Fetcher([ip_network(ALLOWED)], self.lookup)


@pytest.fixture
async def named() -> AsyncIterator[Named]:
    names = Names()
    async with naming(names) as (server, lookup):
        yield Named(names, server, lookup)


async def write(piece: bytes) -> None:
    """Nothing is kept."""


async def refusal(fetcher: Fetcher, url: str) -> str:
    """Why a download was refused."""
    with pytest.raises(Unreachable) as caught:
        await fetcher.download(url, write, seconds=ENOUGH, most=1000)
    return str(caught.value)


@pytest.mark.shows("outgoing.public")
@pytest.mark.parametrize("network", DENIED)
async def test_no_denied_address_is_asked_by_name_literal_redirect_or_second_look_up(
    named: Named, source: Source, canary: Canary, ear: Ear, network: str
) -> None:
    for number, address in enumerate(ends(network)):
        literal = f"http://{f'[{address}]' if ':' in address else address}:{canary.port}/"
        turning = f"turning{number}.example"
        named.names.answers = {"denied.example": [[address]], turning: [[SOURCE], [address]]}
        again = f"http://{turning}:{source.port}/to?http://{turning}:{canary.port}/"
        led = [source.leading_to(literal), source.leading_to(f"http://denied.example:{canary.port}/"), again]
        with ear.listening() as heard:
            told = [
                await refusal(named.fetcher, url) for url in (literal, f"http://denied.example:{canary.port}/", *led)
            ]

        assert all(each.startswith("no connection: ") and "is not a public address" in each for each in told), told
        assert heard == [f"{SOURCE}:{source.port}"] * len(led)
        assert [name for name, kind in named.server.asked if kind == A].count(turning) == 2


@pytest.mark.shows("outgoing.public")
@pytest.mark.parametrize("address", SPELT.split())
async def test_no_spelling_of_a_denied_address_is_asked(named: Named, canary: Canary, ear: Ear, address: str) -> None:
    # What is not read as an address is looked up, and the answer is what such readers would have made of it.
    named.names.others = [address]
    with ear.listening() as heard:
        told = {host: await refusal(named.fetcher, f"http://{host}:{canary.port}/") for host in spellings(address)}

    assert heard == []
    refused = ("is not a public address", "is not a canonical IPv4 address")
    assert [host for host, why in told.items() if not why.endswith(refused)] == []


async def test_of_several_addresses_those_that_are_denied_are_left_out(
    named: Named, source: Source, canary: Canary, ear: Ear
) -> None:
    named.names.answers = {"both.example": [["127.0.0.1", "::1", "10.0.0.1", SOURCE]]}
    with ear.listening() as heard:
        await named.fetcher.download(f"http://both.example:{source.port}/", write, seconds=ENOUGH, most=1000)

    assert heard == [f"{SOURCE}:{source.port}"]
    assert source.seen == ["/"]


async def test_the_machine_s_own_names_are_denied_as_well(canary: Canary) -> None:
    assert "is not a public address" in await refusal(Fetcher(), f"http://localhost:{canary.port}/")


@pytest.mark.shows("outgoing.exempt")
async def test_what_the_configuration_exempts_is_asked(make_site: MakeSite, source: Source, canary: Canary) -> None:
    site = await make_site(fetch_allow=(ALLOWED,))
    await site.host.fetcher.download(f"http://{SOURCE}:{source.port}/", write, seconds=ENOUGH, most=1000)

    assert source.seen == ["/"]
    assert "is not a public address" in await refusal(site.host.fetcher, f"http://127.0.0.1:{canary.port}/")


@pytest.mark.shows("outgoing.saving", "outgoing.delivery")
async def test_an_entry_leads_to_no_denied_address_when_it_is_kept_nor_later(
    site: Site, named: Named, source: Source, canary: Canary, ear: Ear
) -> None:
    site.host.fetcher = named.fetcher
    service = site.host.unit().get(EntryService)
    denied = [address for network in DENIED for address in ends(network)][:60]
    for number, address in enumerate(denied):
        name, literal = f"n{number}.example", f"[{address}]" if ":" in address else address
        named.names.answers[name] = [[address], [SOURCE], [address]]
        for host in (literal, name):
            with pytest.raises(CommandError, match="which is not public"):
                await service.add(f"http://{host}:{canary.port}/", "", (), allow_private=False)
        await service.add(f"http://{name}:{canary.port}/", "", (), allow_private=False)
    async with site.host.unit().write() as unit:
        await emit(unit, PostDeleted(1, "A title", "a-title", "post", permanent=True))
    with ear.listening() as heard:
        await site.run_job("host.events")

    logged = await Outbox(site.host.unit(), NAME).log(None, 1000)
    assert {each.record["error"].removeprefix("no connection: ") for each in logged} == {
        f"{address} is not a public address" for address in denied
    }
    assert len(logged) == len(denied)
    assert heard == []


async def test_a_delivery_is_not_led_on(site: Site, named: Named, source: Source, canary: Canary, ear: Ear) -> None:
    site.host.fetcher = named.fetcher
    url = source.leading_to(f"http://127.0.0.1:{canary.port}/")
    await site.host.unit().get(EntryService).add(url, "", (), allow_private=False)
    async with site.host.unit().write() as unit:
        await emit(unit, PostDeleted(1, "A title", "a-title", "post", permanent=True))
    with ear.listening() as heard:
        await site.run_job("host.events")

    assert heard == [f"{SOURCE}:{source.port}"]


def illustrated(title: str, host: str, **changes: Any) -> dict[str, Any]:
    """The body of a post that names an image of a host wherever one can be named."""
    image = f"http://{host}/image.png"
    body = article(title=title, featured_image=image, seo={"og_image": image, "canonical_url": image}, **changes)
    shown = f'<img src="{image}" srcset="{image} 1x, //{host}/b.png 2x" alt=""><video poster="{image}"></video>'
    return {**body, "content": f'{body["content"]}{shown}<p><a href="{image}">it</a></p>'}


@pytest.mark.shows("outgoing.post")
@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "[::1]:{port}", "169.254.169.254", "within.example"])
async def test_what_a_post_names_is_never_asked_for(site: Site, canary: Canary, ear: Ear, host: str) -> None:
    author, host = await site.client("author"), host.format(port=canary.port)
    now, later = (illustrated(unlike(when), host) for when in ("now", "later"))
    with ear.listening() as heard:
        answers = [
            await author.post("/posts", json={**now, "status": "published"}),
            await author.post("/posts", json={**later, "scheduled_at": "2026-01-16 12:00:00"}),
        ]
        site.clock.advance(86_400)
        await site.run_job("posts.scheduler")
        shown = [await author.get(f"/posts/{each.data['id']}") for each in answers]

    assert [each.data["status"] for each in shown] == ["published"] * 2
    assert all(f"http://{host}/image.png" in each.data["content"] for each in shown)
    assert {*heard} <= {f"127.0.0.1:{site.http.port}"}
