"""The store in a folder, and what health and `cms-host check` say of it."""

import os
from pathlib import Path

import pytest

from cms_host.testing import FakeClock, MakeSite, Site
from cms_media.api import MediaStore
from cms_media.local_store import BATCH, LocalStore
from cms_media.paths import is_path, new_paths
from cms_media.testing import upload, uploaded

from .conftest import SQLITE_ALONE, folder_of, kept

PATH = f"2026/11/{'a' * 26}.jpg"


@pytest.fixture
def store(tmp_path: Path, clock: FakeClock) -> LocalStore:
    return LocalStore(tmp_path / "media", clock)


def a_file(folder: Path, content: bytes = b"x") -> Path:
    file = folder / "source"
    file.write_bytes(content)
    return file


async def test_what_is_put_is_synced_before_and_after_it_is_named(
    store: LocalStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing short of a loss of power would show it otherwise."""
    synced: list[tuple[str, bool]] = []
    fsync = os.fsync

    def watched(descriptor: int) -> None:
        fsync(descriptor)
        synced.append((str(Path(f"/proc/self/fd/{descriptor}").readlink()), (tmp_path / "media" / PATH).exists()))

    monkeypatch.setattr(os, "fsync", watched)
    await store.put({PATH: a_file(tmp_path)})

    folders = [f"{tmp_path}/media/2026/11", f"{tmp_path}/media/2026", f"{tmp_path}/media", str(tmp_path)]
    assert synced[0] == (f"{tmp_path}/source", False)
    assert sorted(synced[1:]) == sorted((folder, True) for folder in folders)
    assert (tmp_path / "media" / PATH).read_bytes() == b"x"


@pytest.mark.parametrize(
    "path", ["../x.jpg", "/etc/passwd", "2026/11/../../x", "", "incoming/x", PATH + "\n", PATH + "/"]
)
async def test_no_path_leads_out_of_the_store(store: LocalStore, tmp_path: Path, path: str) -> None:
    with pytest.raises(ValueError, match="is no path"):
        await store.put({path: a_file(tmp_path)})
    with pytest.raises(ValueError, match="is no path"):
        await store.delete([path])


async def test_files_are_listed_by_their_age_in_batches(store: LocalStore, tmp_path: Path, clock: FakeClock) -> None:
    old = {f"2026/11/{number:026}.avif" for number in range(BATCH + 3)}
    for path in old:
        await store.put({path: a_file(tmp_path)})
    clock.advance(10)
    await store.put({PATH: a_file(tmp_path)})
    batches = [batch async for batch in store.listed(clock.now())]
    everything = [path async for batch in store.listed(clock.now() + 1) for path in batch]

    assert [len(batch) for batch in batches] == [BATCH, 3]
    assert {path for batch in batches for path in batch} == old
    assert set(everything) == old | {PATH}


def test_names_are_random_and_no_variant_has_its_original_s() -> None:
    now = FakeClock().now()
    for extension in ("jpg", "png", "gif", "webp", "avif"):
        found = [new_paths(extension, now) for _ in range(50)]
        assert len({path for paths in found for path in paths}) == 150
        assert all(is_path(path) and path.startswith("2026/01/") for paths in found for path in paths)
        assert all(paths.original.endswith(f".{extension}") for paths in found)


@SQLITE_ALONE
async def test_health_tells_whether_the_store_can_be_written_to(site: Site) -> None:
    admin = await site.client("admin")
    before = (await admin.get("/health")).data["checks"]["media_store"]
    await uploaded(admin)
    files = kept(site)
    after = (await admin.get("/health")).data["checks"]["media_store"]

    assert (before["status"], after["status"]) == ("ok", "ok")
    assert "made with the first upload" in before["detail"]
    assert str(folder_of(site).absolute()) in after["detail"]
    assert kept(site) == files


@SQLITE_ALONE
async def test_a_store_that_can_not_be_written_to_is_told_and_costs_no_more_than_the_upload(
    site: Site, make_site: MakeSite
) -> None:
    admin = await site.client("admin")
    site.host.data_dir.mkdir(exist_ok=True)
    folder_of(site).write_text("no folder")
    answer = await upload(admin)

    assert (answer.status, "reference" in answer.error["message"]) == (500, True)
    assert (await admin.get("/health")).data["checks"]["media_store"]["status"] == "degraded"
    assert (await admin.get("/media")).data["total"] == 0
    folder_of(site).unlink()
    assert (await upload(admin)).status == 201


@SQLITE_ALONE
async def test_a_neighbour_may_bring_a_store_of_its_own(site: Site) -> None:
    admin, put = await site.client("admin"), {}

    class Memory:
        async def put(self, found: dict[str, Path]) -> None:
            put.update({path: file.read_bytes() for path, file in found.items()})

        async def delete(self, paths: tuple[str, ...]) -> None:
            for path in paths:
                del put[path]

    site.provide(MediaStore, Memory())
    record = await uploaded(admin)

    assert set(put) == {url.removeprefix("/media/") for url in record["urls"].values()}
    assert kept(site) == set()
    assert (await admin.delete("/media/1")).status == 200
    assert put == {}
