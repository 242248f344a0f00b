"""GET and HEAD /media/{path}: what anybody may see of the files."""

import pytest

from cms_host.testing import MakeSite, Site
from cms_media.testing import picture, uploaded

from .conftest import SQLITE_ALONE, folder_of, kept, show

FILE = picture("JPEG", size=(40, 30), color=(200, 50, 50)) + b"\0" * 1000


@pytest.mark.shows("media.served", "request.open.media")
async def test_files_are_shown_as_images_and_as_nothing_else(make_site: MakeSite) -> None:
    site = await make_site(rate_limit=2)
    record = await uploaded(await site.client("author"), FILE + b"<html><script>alert(1)</script>", filename="x.html")
    types = {"original": "image/jpeg", "avif": "image/avif", "webp": "image/webp"}
    for kind, url in record["urls"].items():
        for method in ("GET", "HEAD"):
            answer = await site.fetch(method, url)
            name = url.rpartition("/")[2]
            assert answer.status == 200
            assert {
                "Content-Type": types[kind],
                "Content-Disposition": f'inline; filename="{name}"',
                "Cache-Control": "public, max-age=31536000, immutable",
                "X-Content-Type-Options": "nosniff",
                "Content-Security-Policy": "default-src 'none'; sandbox",
                "Cross-Origin-Resource-Policy": "cross-origin",
                "Accept-Ranges": "bytes",
            }.items() <= dict(answer.headers).items()
            assert "Set-Cookie" not in answer.headers
            assert (len(answer.body) == int(answer.headers["Content-Length"])) is (method == "GET")
    assert (await site.anonymous.get("/media")).status == 401


@SQLITE_ALONE
async def test_parts_of_a_file_are_shown(site: Site) -> None:
    path = (await uploaded(await site.client("author"), FILE))["path"]
    for asked, body, shown in (
        ("bytes=0-9", FILE[:10], f"bytes 0-9/{len(FILE)}"),
        ("bytes=-5", FILE[-5:], f"bytes {len(FILE) - 5}-{len(FILE) - 1}/{len(FILE)}"),
        ("bytes=5-", FILE[5:], f"bytes 5-{len(FILE) - 1}/{len(FILE)}"),
    ):
        answer = await show(site, path, Range=asked)
        assert (answer.status, answer.body, answer.headers["Content-Range"]) == (206, body, shown)
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
    beyond = await show(site, path, Range=f"bytes={len(FILE)}-")
    assert (beyond.status, beyond.headers.get("Cache-Control")) == (416, None)


@SQLITE_ALONE
async def test_a_file_that_a_client_has_is_not_sent_again(site: Site) -> None:
    """The spec's rule against validators is the API's; files are none of it (docs/media.md)."""
    path = (await uploaded(await site.client("author"), FILE))["path"]
    first = await show(site, path)
    again = await show(site, path, **{"If-None-Match": first.headers["ETag"]})

    assert (again.status, again.body, again.headers["Cache-Control"]) == (304, b"", first.headers["Cache-Control"])


@SQLITE_ALONE
async def test_no_path_leads_anywhere_but_to_a_stored_file(site: Site) -> None:
    author = await site.client("author")
    path = (await uploaded(author, FILE))["path"]
    month, _, name = path.rpartition("/")
    (folder_of(site) / month / "stray.jpg").write_bytes(FILE)
    (folder_of(site) / month / f"{'a' * 26}.jpg").write_bytes(FILE)
    (site.host.data_dir / "secret.jpg").write_bytes(FILE)
    for asked in (
        "",
        month,
        f"{month}/",
        f"{month}/stray.jpg",
        f"{month}/{'a' * 26}.jpg",
        "../secret.jpg",
        "..%2fsecret.jpg",
        "%2e%2e/secret.jpg",
        f"{month}/..%2f..%2f..%2fsecret.jpg",
        f"{month}/%2e%2e/%2e%2e/%2e%2e/secret.jpg",
        f"{path}/",
        f"/{path}",
        f"{path}%00",
        f"{path}%00.png",
        f"{month}//{name}",
        path.upper(),
        path.replace("/", "%5c"),
        f"{path}.gz",
        "%ff%fe",
        "incoming/x",
        "x" * 3000,
    ):
        answer = await site.fetch("GET", f"/media/{asked}")
        assert answer.status == 404, asked
        assert answer.headers.get("Cache-Control") is None, asked
    assert (await site.fetch("POST", f"/media/{path}")).status == 405
    assert (await site.fetch("GET", f"/media/{path}?x=1")).status == 200


@SQLITE_ALONE
async def test_a_file_that_is_missing_is_404_that_nobody_keeps_and_an_error_in_the_log(
    site: Site, log_lines: list[str]
) -> None:
    path = (await uploaded(await site.client("author")))["path"]
    (folder_of(site) / path).unlink()
    answer = await show(site, path)

    assert (answer.status, answer.headers.get("Cache-Control")) == (404, None)
    assert sum("missing from the store" in line for line in log_lines) == 1


@SQLITE_ALONE
async def test_a_family_that_is_switched_off_shows_no_files_and_keeps_them(make_site: MakeSite) -> None:
    on = await make_site()
    record = await uploaded(await on.client("author"))
    files = kept(on)
    off = await make_site(disabled=["media"])

    assert [(await off.fetch("GET", url)).status for url in record["urls"].values()] == [404] * 3
    assert kept(on) == files
    assert (await show(on, record["path"])).status == 200
