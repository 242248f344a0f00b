"""`kill -9` in the middle of uploads: every record has its three files, and what is left of the others is cleaned away.

`make stress` kills 100 times on each database; the suite five times, on SQLite. CMS_TEST_SEED repeats a run's choices.
"""

import asyncio
import hashlib
import os
import secrets
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from random import Random

import aiohttp
import pytest
from PIL import Image
from sqlalchemy import select

from cms_host.app import connected, make_host
from cms_host.config import Config
from cms_host.migrate import sync_engine
from cms_host.testing import Databases
from cms_media.tables import files, media
from cms_media.testing import form
from tests.host.process.installation import PATIENCE, Installation, Running
from tests.stress.sites import client, errors, installation, kill

KILLS = int(os.environ.get("CMS_TEST_KILLS", "5"))
#: The long form is for both databases; what is tried here is the order of files and rows, which is the same on each.
KINDS = Databases.KINDS if KILLS > 5 else ("sqlite",)
UPLOADERS = 4
#: Answers after which the group is killed at the latest, and seconds beyond them: about as long as one upload takes.
MOST_ANSWERS, LONGEST_REST = 6, 0.3
HOUR = 3600


class Uploads:
    """A site that is killed while images are sent to it, and started again."""

    def __init__(self, made: Installation, chance: Random) -> None:
        self.made = made
        self._chance = chance
        self._photos = [_photo(shade) for shade in (40, 60, 80)]
        self._running: Running | None = None
        #: Ids that were answered, with the digest of what was sent.
        self.acknowledged: dict[int, str] = {}

    @property
    def store(self) -> Path:
        return self.made.folder / "data" / "media"

    async def until_killed(self) -> None:
        """Start, upload from several clients at once, and kill it all."""
        self._running = running = self.made.start()
        await asyncio.to_thread(running.wait_for, "serves on ")
        wanted = len(self.acknowledged) + self._chance.randrange(MOST_ANSWERS)
        async with client(self.made, running) as http, asyncio.TaskGroup() as group:
            for number in range(UPLOADERS):
                group.create_task(self._upload_until_cut_off(http, number))
            group.create_task(self._kill_after(wanted, running))
        assert not errors(running), "\n".join(errors(running))

    def stop(self) -> None:
        """Let nothing outlive the test."""
        if self._running is not None and self._running.process.poll() is None:
            kill(self._running)

    async def _upload_until_cut_off(self, http: aiohttp.ClientSession, number: int) -> None:
        while True:
            photo = self._photos[number % len(self._photos)]
            try:
                async with http.post("/api/v1/media", data=form(photo)) as response:
                    assert response.status == 201, await response.text()
                    record = (await response.json())["data"]
            except aiohttp.ClientError:
                return
            self.acknowledged[record["id"]] = hashlib.sha256(photo).hexdigest()
            number += 1

    async def _kill_after(self, wanted: int, running: Running) -> None:
        async with asyncio.timeout(5 * PATIENCE):
            while len(self.acknowledged) < wanted:
                await asyncio.sleep(0.001)  # The clock of the uploaders is their answers.
        await asyncio.sleep(self._chance.uniform(0, LONGEST_REST))  # So that no step of an upload is never hit.
        await asyncio.to_thread(kill, running)


def _photo(shade: int) -> bytes:
    made = BytesIO()
    Image.effect_noise((300, 200), shade).convert("RGB").save(made, "JPEG")
    return made.getvalue()


@pytest.fixture(params=KINDS)
def uploads(request: pytest.FixtureRequest, databases: Databases, tmp_path: Path) -> Iterator[Uploads]:
    seed = int(os.environ.get("CMS_TEST_SEED", secrets.randbits(32)))
    print(f"CMS_TEST_SEED={seed}")
    url = databases.make(request.param, migrated=False)
    made = Uploads(installation(tmp_path, url), Random(seed))  # noqa: S311 - not for secrets.
    yield made
    made.stop()


@pytest.mark.slow
async def test_kill_leaves_no_record_without_its_files_and_no_file_for_long(uploads: Uploads) -> None:
    url = uploads.made.environment["CMS_DATABASE_URL"]
    for _ in range(KILLS):
        await uploads.until_killed()
        await asyncio.to_thread(assert_whole, url, uploads)
    left = {file for file in uploads.store.rglob("*") if file.is_file()}
    await clean(url, uploads)
    kept = {file for file in uploads.store.rglob("*") if file.is_file()}

    assert {file.relative_to(uploads.store).as_posix() for file in kept} == rows_of_files(url)
    print(f"{KILLS} kills; {len(uploads.acknowledged)} uploads answered; {len(left - kept)} files cleaned away")


def assert_whole(url: str, uploads: Uploads) -> None:
    """Every record has its original as it was sent, and two variants that can be decoded."""
    with sync_engine(url).connect() as connection:
        rows = connection.execute(select(media)).all()
    for row in rows:
        assert hashlib.sha256((uploads.store / row.path).read_bytes()).hexdigest() == row.sha256
        for path in (row.path, row.avif, row.webp):
            with Image.open(uploads.store / path) as image:
                image.load()
                assert image.size == (300, 200)
    stored = {row.id: row.sha256 for row in rows}
    assert uploads.acknowledged.items() <= stored.items()


async def clean(url: str, uploads: Uploads) -> None:
    """Run the cleaning jobs two hours later."""
    for file in uploads.store.rglob("*"):
        if file.is_file():
            os.utime(file, (file.stat().st_atime, file.stat().st_mtime - 2 * HOUR))
    host = make_host(Config(database_url=url, data_dir=uploads.made.folder / "data"))
    async with connected(host):
        await host.jobs.announce()
        for name in ("media.orphans", "media.incoming"):
            assert await host.jobs.run_due(host.jobs.named(name))
    await host.close_workers()


def rows_of_files(url: str) -> set[str]:
    with sync_engine(url).connect() as connection:
        return set(connection.scalars(select(files.c.path)))
