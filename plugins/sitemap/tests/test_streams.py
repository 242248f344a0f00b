"""A slow reader of the sitemap is in nobody's way."""

import asyncio
from collections.abc import Sequence

import pytest
from sqlalchemy import literal, select

from cms_host.api import Query, Reader, SitemapEntry
from cms_host.testing import MakeSite

from .conftest import Pages, put_up

_ASK = Query(select(literal(1).label("one")))
#: Seconds that the test waits for what has to come about, however busy the machine is.
WAIT = 60


class Large(Pages):
    """Fifty megabytes of addresses, for which the database is asked."""

    async def entries(
        self, db: Reader, after_id: int, limit: int, offset: int = 0, upto_id: int | None = None
    ) -> Sequence[SitemapEntry]:
        await db.value(_ASK)
        found = await super().entries(db, after_id, limit, offset, upto_id)
        return [each._replace(loc=f"{each.loc}/{'long-' * 200}") for each in found]


@pytest.mark.parametrize("path", ["/sitemap.xml", "/api/v1/sitemap?format=xml"])
@pytest.mark.shows("others.sitemap.xml")
async def test_slow_reader_holds_no_connection_and_little_memory(make_site: MakeSite, path: str) -> None:
    site = await make_site(database_pool=1)
    put_up(site, large := Large("novels", 50_000))
    client = await site.client("subscriber")
    reader, writer = await asyncio.open_connection("127.0.0.1", site.http.port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\nX-API-Key: {client.key}\r\n\r\n".encode())
    assert b" 200 " in await asyncio.wait_for(reader.readline(), WAIT)
    for _ in range(20):
        answer = await asyncio.wait_for(client.get("/sitemap?per_page=1"), WAIT)
        assert len(answer.data["items"]) == 1

    # It has not been given what it does not take in: a hundred steps are the whole.
    assert len(large.asked) - 20 < 60
    writer.transport.abort()
