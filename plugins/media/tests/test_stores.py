"""The two stores keep, show, list and delete files alike: a folder, and a bucket."""

import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from aiohttp import ClientPayloadError

from cms_host.api import MediaStorage, Query
from cms_host.testing import FakeClock, MakeSite, Site
from cms_media.api import MediaStore
from cms_media.s3_store import NotWritable
from cms_media.tables import files, media
from cms_media.testing import picture, upload, uploaded

from .buckets import KEYS, PREFIX, Service, running

ORPHAN = "2026/11/abcdefghijklmnopqrstuvwxyz.png"


@pytest.fixture
def clock() -> FakeClock:
    """A bucket has the service's clock, which is a true one."""
    return FakeClock(time.time_ns() // 1000)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("s3")) as service:
        yield service


@pytest.fixture(params=["local", "s3"])
def storage(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> MediaStorage:
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    if request.param == "local":
        return MediaStorage()
    found: MediaStorage = request.getfixturevalue("service").storage
    return found


@pytest.fixture
async def site(make_site: MakeSite, storage: MediaStorage) -> Site:
    return await make_site(media=storage)


def store_of(site: Site) -> MediaStore:
    return site.host.unit().get(MediaStore)


async def listed(site: Site, age: int = -60) -> set[str]:
    """Paths of files that are older than this, in seconds."""
    before = site.clock.now() - age * 1_000_000
    return {path async for batch in store_of(site).listed(before) for path in batch}


async def shown(site: Site, path: str, method: str = "GET", **headers: str) -> tuple[int, bytes, Mapping[str, str]]:
    answer = await site.fetch(method, f"/media/{path}", headers=headers)
    return answer.status, answer.body, answer.headers


only_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
only_s3 = pytest.mark.parametrize("storage", ["s3"], indirect=True)


async def test_the_three_files_of_an_upload_are_kept_shown_and_deleted(site: Site) -> None:
    author = await site.client("author")
    before, file = await listed(site), picture("JPEG", size=(40, 30))
    record = await uploaded(author, file)
    paths = {url.removeprefix("/media/") for url in record["urls"].values()}
    assert await listed(site) - before == paths
    assert record["path"] in paths

    status, body, headers = await shown(site, record["path"])
    assert (status, body) == (200, file)
    assert headers["Content-Type"] == "image/jpeg"
    assert headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert headers["X-Content-Type-Options"] == "nosniff"
    for path in paths - {record["path"]}:
        status, body, headers = await shown(site, path)
        assert (status, headers["Content-Type"]) == (200, f"image/{path.rpartition('.')[2]}")
        assert int(headers["Content-Length"]) == len(body) > 0

    assert (await author.delete(f"/media/{record['id']}")).status == 200
    assert await listed(site) == before
    assert [(await shown(site, path))[0] for path in paths] == [404] * 3


@only_sqlite
async def test_a_head_has_the_headers_of_the_file_and_no_body(site: Site) -> None:
    record = await uploaded(await site.client("author"))
    got, head = await shown(site, record["path"]), await shown(site, record["path"], "HEAD")

    assert (head[0], head[1]) == (200, b"")
    for name in ("Content-Length", "Content-Type", "Cache-Control", "Accept-Ranges"):
        assert head[2][name] == got[2][name]


@only_sqlite
async def test_ranges_are_cut_out_of_the_file(site: Site) -> None:
    file = picture("PNG", size=(900, 700), mode="RGB")
    path, size = (await uploaded(await site.client("author"), file))["path"], len(file)
    for asked, begin, end in (
        ("bytes=0-9", 0, 10), ("bytes=10-", 10, size), ("bytes=-7", size - 7, size), ("bytes=5-5", 5, 6),
        (f"bytes=9-{size + 100}", 9, size),
    ):  # fmt: skip
        status, body, headers = await shown(site, path, Range=asked)
        assert (status, body) == (206, file[begin:end]), asked
        assert headers["Content-Range"] == f"bytes {begin}-{end - 1}/{size}"
    status, body, headers = await shown(site, path, Range=f"bytes={size}-")
    assert (status, headers["Content-Range"]) == (416, f"bytes */{size}")
    assert file not in body
    assert (await shown(site, path, Range="bytes=9-5"))[0] == 416


@only_s3
@only_sqlite
async def test_a_range_of_what_may_have_changed_is_the_whole_file(site: Site) -> None:
    file = picture()
    path = (await uploaded(await site.client("author"), file))["path"]
    status, body, _ = await shown(site, path, **{"Range": "bytes=0-4", "If-Range": '"seen"'})
    assert (status, body) == (200, file)


@only_sqlite
async def test_a_file_that_is_missing_is_404_and_kept_by_nobody(site: Site, log_lines: list[str]) -> None:
    path = (await uploaded(await site.client("author")))["path"]
    await store_of(site).delete([path])
    for method in ("GET", "HEAD"):
        status, _, headers = await shown(site, path, method)
        assert (status, "Cache-Control" in headers) == (404, False)
    assert sum("a file is missing from the store" in line and path in line for line in log_lines) == 2
    # It does not matter whether it is there.
    await store_of(site).delete([path])


async def test_orphans_are_deleted_when_they_are_an_hour_old(site: Site, tmp_path: Path) -> None:
    source = tmp_path / "data" / "orphan"
    source.parent.mkdir(exist_ok=True)
    source.write_bytes(b"nobody knows me")
    record = await uploaded(await site.client("author"))
    await store_of(site).put({ORPHAN: source})

    site.clock.advance(3000)
    assert await site.run_job("media.orphans")
    assert {ORPHAN, record["path"]} <= await listed(site)
    site.clock.advance(1200)
    assert await site.run_job("media.orphans")
    kept = await listed(site)
    assert record["path"] in kept
    assert ORPHAN not in kept


@only_sqlite
async def test_nothing_leads_out_of_the_store(site: Site, tmp_path: Path) -> None:
    (tmp_path / "source").write_bytes(b"x")
    for path in ("../cms.sqlite3", "/etc/passwd", "2026/11/a.jpg", f"x/{ORPHAN}", ""):
        with pytest.raises(ValueError, match="no path of a stored file"):
            await store_of(site).put({path: tmp_path / "source"})
        with pytest.raises(ValueError, match="no path of a stored file"):
            await store_of(site).delete([path])


@only_sqlite
async def test_health_tells_where_the_files_are_and_leaves_nothing_there(site: Site, storage: MediaStorage) -> None:
    before = await listed(site)
    check = (await (await site.client("admin")).get("/health")).data["checks"]["media_store"]
    assert check["status"] == "ok"
    assert ("uploads/sites/one" if storage.store == "s3" else "MiB free") in check["detail"]
    assert await listed(site) == before


@only_s3
@only_sqlite
async def test_files_have_the_prefix_of_the_site(site: Site, service: Service) -> None:
    record = await uploaded(await site.client("author"))
    assert (service.folder / record["path"]).is_file()
    assert service.folder.as_posix().endswith(PREFIX)
    assert not (service.folder / "trial").exists()


@only_sqlite
@only_s3
async def test_a_service_that_is_gone_is_an_error_and_nothing_is_written(
    make_site: MakeSite, storage: MediaStorage, tmp_path: Path
) -> None:
    with running(tmp_path / "another") as service:
        site = await make_site(media=service.storage)
        author, admin = await site.client("author"), await site.client("admin")
        path = (await uploaded(author))["path"]
    refused = await upload(author)
    assert (refused.status, "reference" in refused.error["message"]) == (500, True)
    assert (await author.get("/media")).data["total"] == 1
    status, _, headers = await shown(site, path)
    assert (status, "Cache-Control" in headers) == (500, False)
    health = (await admin.get("/health")).data
    assert (health["status"], health["checks"]["media_store"]["status"]) == ("degraded", "degraded")
    with pytest.raises(NotWritable, match=r"^Generic S3 error: [^\n]+$"):
        await store_of(site).verify()


@only_sqlite
@only_s3
async def test_what_breaks_off_is_no_whole_file(make_site: MakeSite, storage: MediaStorage, tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(bytes(60_000_000))
    with running(tmp_path / "another") as service:
        site = await make_site(media=service.storage)
        await store_of(site).put({ORPHAN: tmp_path / "large"})
        await site.key("author")
        await known(site)
        async with site.http.get(f"/media/{ORPHAN}") as response:
            assert response.headers["Content-Length"] == "60000000"
            await response.content.readany()
            service.process.kill()
            with pytest.raises(ClientPayloadError):
                await response.read()


async def known(site: Site) -> None:
    """A row for the file that has none, whose author is the site's first account."""
    texts = dict.fromkeys(("avif", "webp", "sha256", "title", "alt", "searched"), "")
    numbers = dict.fromkeys(("id", "width", "height", "size", "author_id", "created_at"), 1)
    async with site.host.db.transaction() as tx:
        await tx.execute(Query(media.insert().values(path=ORPHAN, mime_type="image/png", **texts, **numbers)))
        await tx.execute(Query(files.insert().values(path=ORPHAN, media_id=1, mime_type="image/png")))
