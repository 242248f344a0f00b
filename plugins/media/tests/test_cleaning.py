"""The jobs that delete files which nobody will ask for."""

import asyncio
import os

import pytest

from cms_host.testing import MakeSite, Site
from cms_media.testing import picture, upload, uploaded

from .conftest import SQLITE_ALONE, folder_of, kept

HOUR = 3600
STRAY = f"2026/01/{'s' * 26}.jpg"


async def clean(site: Site) -> None:
    assert await site.run_job("media.orphans")
    assert await site.run_job("media.incoming")


def stray(site: Site, path: str, age: float = 0) -> None:
    """A file without a row, so many seconds old."""
    file = folder_of(site) / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(picture())
    put = site.clock.now() * 1000 - int(age * 1_000_000_000)
    os.utime(file, ns=(put, put))


@pytest.mark.parametrize("path", [STRAY, "incoming/tmpabc", "incoming/tmpabc.avif"])
async def test_orphans_are_deleted_when_they_are_an_hour_old(site: Site, path: str) -> None:
    record = await uploaded(await site.client("author"))
    stray(site, path)
    files = kept(site)
    site.clock.advance(HOUR)
    await clean(site)
    assert kept(site) == files
    site.clock.advance(HOUR)
    await clean(site)

    assert kept(site) == files - {path}
    assert (await site.fetch("GET", record["urls"]["avif"])).status == 200


@SQLITE_ALONE
async def test_many_orphans_and_many_files_are_told_apart(site: Site) -> None:
    await uploaded(await site.client("author"))
    files = kept(site)
    for number in range(600):
        stray(site, f"2025/12/{number:026}.webp", 2 * HOUR)
    site.clock.advance(2 * HOUR)
    await clean(site)

    assert kept(site) == files


@SQLITE_ALONE
async def test_what_is_not_ours_is_left_alone(site: Site) -> None:
    for path in ("README", "2026/01/notes.txt", "2026/thumbs.db"):
        stray(site, path, 2 * HOUR)
    await clean(site)

    assert len(kept(site)) == 3


@SQLITE_ALONE
async def test_cleaning_a_store_that_was_never_used_is_nothing(site: Site) -> None:
    await clean(site)

    assert kept(site) == set()


@pytest.mark.shows("idempotency.parts")
async def test_the_same_upload_sent_again_gets_the_first_answer_and_its_files_once(
    site: Site, make_site: MakeSite
) -> None:
    author = await site.client("author")
    first = await upload(author, picture(), key="one-upload", alt="A boat")
    again = await upload(author, picture(), key="one-upload", alt="A boat", filename="renamed.png")

    assert (first.status, again.status, again.json) == (201, 201, first.json)
    assert len(kept(site)) == 3
    for other in (
        await upload(author, picture(), key="one-upload", alt="Another"),
        await upload(author, picture("GIF"), key="one-upload", alt="A boat"),
        await upload(author, picture(), key="one-upload"),
        await upload(author, picture(), key="one-upload", title="A boat"),
        await author.post("/media", json={"alt": "A boat"}, headers={"Idempotency-Key": "one-upload"}),
        await author.post("/media", headers={"Idempotency-Key": "one-upload"}),
    ):
        assert other.status == 409
    assert len(kept(site)) == 3
    assert (await author.get("/media")).data["total"] == 1


@pytest.mark.shows("idempotency.parts")
async def test_twin_uploads_at_once_make_one_record(site: Site, make_site: MakeSite) -> None:
    author = await site.client("author")
    other = type(author)(await make_site(), author.key)
    answers = await asyncio.gather(*(upload(client, key="twin") for client in [author, other] * 3))

    assert {answer.status for answer in answers} <= {201, 409}
    assert len({answer.data["id"] for answer in answers if answer.status == 201}) == 1
    assert (await author.get("/media")).data["total"] == 1
    site.clock.advance(2 * HOUR)
    await clean(site)
    assert len(kept(site)) == 3
