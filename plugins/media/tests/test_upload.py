"""POST /media."""

import hashlib
from io import BytesIO

from PIL import Image

from cms_host.testing import MakeSite, assert_documented
from cms_media.testing import picture, upload


async def test_upload_answers_the_record_and_its_files_are_public(make_site: MakeSite) -> None:
    site = await make_site(base_url="https://site.example")
    file = picture("JPEG", size=(40, 30), color=(200, 50, 50))
    answer = await upload(await site.client("author"), file, filename="../../my holiday.html", alt="A <b>boat</b>")

    assert answer.status == 201, answer.text
    record = answer.data
    name = record["path"].removeprefix("2026/01/")
    assert record == {
        "id": 1,
        "title": "",
        "alt": "A boat",
        "filename": name,
        "path": record["path"],
        "mime_type": "image/jpeg",
        "size": len(file),
        "width": 40,
        "height": 30,
        "sha256": hashlib.sha256(file).hexdigest(),
        "urls": {
            "original": f"https://site.example/media/2026/01/{name}",
            "avif": f"https://site.example/media/2026/01/{name.removesuffix('.jpg')}.avif",
            "webp": f"https://site.example/media/2026/01/{name.removesuffix('.jpg')}.webp",
        },
        "author_id": 1,
        "created_at": "2026-01-15 12:00:00",
    }
    await assert_documented(site, "POST", "/media", answer)
    for kind, url in record["urls"].items():
        got = await site.fetch("GET", url.removeprefix("https://site.example"))
        image = Image.open(BytesIO(got.body))
        assert (got.status, image.size) == (200, (40, 30))
        assert got.headers["Content-Type"] == ("image/jpeg" if kind == "original" else f"image/{kind}")
        assert image.get_format_mimetype() == got.headers["Content-Type"]
    assert (await site.fetch("GET", f"/media/{record['path']}")).body == file
