"""DELETE /media/{id}, and what becomes of the files."""

import pytest

from cms_host.testing import Site, assert_documented, dump
from cms_media.api import MediaFiles, MediaUse
from cms_media.testing import uploaded

from .conftest import SQLITE_ALONE, Uses, folder_of, kept, show


@pytest.mark.shows("media.delete", "media.gone")
async def test_deleted_is_gone_at_once_with_its_files(site: Site, database_url: str) -> None:
    author = await site.client("author")
    stays = await uploaded(author)
    before = dump(database_url)
    record = await uploaded(author)
    files = kept(site)
    answer = await author.delete(f"/media/{record['id']}")

    assert (answer.status, answer.data) == (200, {"success": True})
    await assert_documented(site, "DELETE", "/media/{id}", answer)
    assert (await author.get(f"/media/{record['id']}")).status == 404
    for url in record["urls"].values():
        gone = await site.fetch("GET", url)
        assert (gone.status, gone.headers.get("Cache-Control")) == (404, None)
    without = {name: rows for name, rows in dump(database_url).items() if "sequence" not in name}
    assert without == {name: before[name] for name in without}
    assert kept(site) == {url.removeprefix("/media/") for url in stays["urls"].values()}
    assert len(files) == 6


@pytest.mark.shows("media.delete.used", "errors.409.media")
async def test_what_posts_use_is_409_and_named_unless_forced(site: Site, database_url: str) -> None:
    author = await site.client("author")
    record = await uploaded(author)
    webp = record["urls"]["webp"].removeprefix("/media/")
    site.provide(MediaUse, Uses((7, "A walk"), (9, "Boats"), path=webp), Uses(path="x"))
    before, files = dump(database_url), kept(site)
    answer = await author.delete("/media/1")

    assert answer.status == 409
    assert "7 (A walk), 9 (Boats)" in answer.error["message"]
    assert (dump(database_url), kept(site)) == (before, files)
    assert (await author.delete("/media/1", json={"force": False})).status == 409
    assert (await author.delete("/media/1", json={"force": True})).status == 200
    assert kept(site) == set()


@SQLITE_ALONE
async def test_a_refusal_names_some_posts_of_many(site: Site) -> None:
    author = await site.client("author")
    record = await uploaded(author)
    site.provide(MediaUse, Uses(*((number, "Post") for number in range(50)), path=record["path"]))

    assert (await author.delete("/media/1")).error["message"].count("Post") == 10


@SQLITE_ALONE
async def test_what_other_plugins_ask_is_which_files_are_stored(site: Site) -> None:
    author = await site.client("author")
    record = await uploaded(author)
    paths = {url.removeprefix("/media/") for url in record["urls"].values()}
    files = site.host.unit().get(MediaFiles)

    assert await files.stored({*paths, "2026/01/other.jpg", "", "/x"}) == paths
    assert await files.stored([]) == set()
    await author.delete("/media/1")
    assert await files.stored(paths) == set()


@SQLITE_ALONE
async def test_files_that_can_not_be_deleted_are_left_to_the_job(
    site: Site, log_lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    author = await site.client("author")
    record = await uploaded(author)
    (folder_of(site) / record["path"]).unlink()
    (folder_of(site) / record["path"]).mkdir()

    assert (await author.delete("/media/1")).status == 200
    assert sum("left for the cleaning job" in line for line in log_lines) == 1
    assert (await show(site, record["path"])).status == 404
