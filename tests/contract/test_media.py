"""Media (spec, Media; contract 5)."""

import hashlib
from io import BytesIO

import pytest
from PIL import Image

from cms_host.testing import Client, MakeSite, Site
from cms_media.testing import picture, upload, uploaded
from cms_posts.testing import created

#: What a record has, and nothing else.
FIELDS = {
    "id",
    "title",
    "alt",
    "filename",
    "path",
    "mime_type",
    "size",
    "width",
    "height",
    "sha256",
    "urls",
    "author_id",
    "created_at",
}


@pytest.mark.shows("media.upload", "media.variants", "media.record", "media.original", "media.path")
@pytest.mark.shows("media.names", "request.open.media")
async def test_an_upload_is_stored_as_sent_and_as_avif_and_webp(site: Site, author: Client) -> None:
    file = picture("JPEG", size=(30, 20))
    record = await uploaded(author, file, title="A boat", alt="A <i>red</i> boat")
    files = {kind: await site.fetch("GET", url) for kind, url in record["urls"].items()}

    assert record.keys() == FIELDS
    assert (record["title"], record["alt"], record["mime_type"]) == ("A boat", "A red boat", "image/jpeg")
    assert (record["size"], record["sha256"]) == (len(file), hashlib.sha256(file).hexdigest())
    assert (record["width"], record["height"], record["created_at"]) == (30, 20, "2026-01-15 12:00:00")
    assert record["urls"]["original"] == f"/media/{record['path']}"
    assert record["filename"] == record["path"].rpartition("/")[2]
    assert not any("photo" in each for each in (record["filename"], *record["urls"].values()))
    assert files["original"].body == file
    assert {kind: Image.open(BytesIO(answer.body)).format for kind, answer in files.items()} == {
        "original": "JPEG",
        "avif": "AVIF",
        "webp": "WEBP",
    }


@pytest.mark.shows("media.path")
async def test_a_path_is_what_a_cover_holds(make_site: MakeSite) -> None:
    site = await make_site(base_url="https://site.example")
    author = await site.client("author")
    record = await uploaded(author)
    post = await created(author, featured_image=record["path"])

    assert post["featured_image"] == record["path"]
    seo = (await author.get(f"/posts/{post['id']}?with_relations=1")).data["seo"]
    assert seo["og_image"] == record["urls"]["original"]


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
@pytest.mark.shows("media.change", "media.read", "media.list", "role.editor.media", "role.author.uploads")
async def test_media_are_listed_read_changed_and_deleted(
    author: Client, editor: Client, subscriber: Client, method: str
) -> None:
    record = await uploaded(author, alt="Red")
    for client, alt in ((author, "Blue"), (editor, "Green")):
        answer = await client.request(method, "/media/1", json={"alt": alt})
        assert (answer.status, answer.data) == (200, {**record, "alt": alt})
    data = (await subscriber.get("/media?search=green")).data
    assert (data["items"], data["total"]) == ([{**record, "alt": "Green"}], 1)
    assert (await subscriber.get("/media/1")).data == data["items"][0]
    assert (await editor.delete("/media/1")).status == 200
    assert (await author.get("/media/1")).status == 404


@pytest.mark.shows("role.author.uploads", "media.delete")
async def test_an_author_changes_own_uploads_only(site: Site, author: Client) -> None:
    other = await site.client("author", "other")
    await uploaded(other)
    for method in ("PUT", "PATCH", "DELETE"):
        answer = await author.request(method, "/media/1", json={"alt": "x"})
        assert (answer.status, answer.error["message"]) == (403, "You can only modify your own content")
    assert (await other.delete("/media/1")).status == 200
    assert (await other.get("/media/1")).status == 404


@pytest.mark.shows("media.formats", "media.formats.others", "errors.422.image")
async def test_content_decides_what_is_taken(author: Client) -> None:
    for kind in ("JPEG", "PNG", "WEBP", "AVIF", "GIF"):
        record = await uploaded(author, picture(kind), filename="x.txt")
        assert record["mime_type"] == f"image/{kind.lower()}"
    for file in (picture("TIFF"), picture("BMP"), b"<svg xmlns='http://www.w3.org/2000/svg'/>", picture()[:-30]):
        answer = await upload(author, file, filename="x.png")
        assert (answer.status, answer.error["code"]) == (422, 422)
