"""Images from elsewhere (contract 6, media)."""

import socket
from typing import Any

import pytest

from cms_host.testing import Answer, Client, Site, dump
from cms_media.testing import picture

from .conftest import SQLITE_ALONE, Pictures, open_to, signed, total


async def fetch(client: Client, url: str, **fields: Any) -> Answer:
    return await client.post("/webhook/media", json={"url": url, **fields})


@pytest.mark.shows("actions.media")
async def test_image_at_an_address_becomes_a_medium_of_the_caller(trusting: Site, pictures: Pictures) -> None:
    author = await trusting.client("author")
    answer = await fetch(author, f"{pictures.url}/there", alt="A <b>boat</b>", title="Boat")
    record = answer.data

    assert (answer.status, pictures.asked) == (201, ["/there", "/boat.png"])
    assert (record["alt"], record["title"], record["mime_type"]) == ("A boat", "Boat", "image/png")
    assert record["size"] == len(picture())
    assert (await author.get(f"/media/{record['id']}")).data == record
    for address in record["urls"].values():
        assert (await trusting.fetch("GET", address)).status == 200
    assert (await author.delete(f"/media/{record['id']}")).status == 200


@SQLITE_ALONE
@pytest.mark.shows("actions.media.refused")
async def test_whatever_is_not_to_be_had_is_one_and_the_same_422(
    trusting: Site, pictures: Pictures, database_url: str
) -> None:
    author = await trusting.client("author")
    before = dump(database_url)
    port = pictures.url.rpartition(":")[2]
    with socket.create_server(("127.0.0.1", 0)) as closed:
        nobody = closed.getsockname()[1]
    answers = [
        await fetch(author, url)
        for url in (
            f"{pictures.url}/drawing.svg",
            f"{pictures.url}/round",
            f"http://127.0.0.1:{nobody}/boat.png",
            f"http://[::1]:{port}/boat.png",
            "http://169.254.169.254/latest/meta-data",
            "http://10.1.2.3/boat.png",
            "file:///etc/passwd",
            "ftp://127.0.0.1/boat.png",
            "http://user:secret@127.0.0.1/boat.png",
            "nothing of the kind",
            "http://",
        )
    ]

    assert {answer.status for answer in answers} == {422}
    assert {answer.text for answer in answers} == {answers[0].text}
    assert "127.0.0.1" not in answers[0].text
    assert dump(database_url) == before


@SQLITE_ALONE
@pytest.mark.shows("actions.media.refused")
async def test_private_addresses_are_not_even_connected_to(site: Site, pictures: Pictures) -> None:
    author = await site.client("author")
    port = pictures.url.rpartition(":")[2]
    for host in ("127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1", "①②⑦.0.0.1", "0"):
        assert (await fetch(author, f"http://{host}:{port}/boat.png")).status == 422, host

    assert pictures.asked == []
    assert await total(site, "/media") == 0


@pytest.mark.shows("actions.media", "actions.signature.replay")
async def test_same_call_again_fetches_nothing_again(trusting: Site, pictures: Pictures) -> None:
    await open_to(trusting)
    body = {"url": f"{pictures.url}/boat.png"}
    first, again = [await signed(trusting, "media", body) for _ in range(2)]
    key = {"Idempotency-Key": "one"}
    author = await trusting.client("author")
    keyed = [await author.post("/webhook/media", json=body, headers=key) for _ in range(2)]

    assert (first.status, again.body, keyed[0].status, keyed[1].body) == (201, first.body, 201, keyed[0].body)
    assert (len(pictures.asked), await total(trusting, "/media")) == (2, 2)
