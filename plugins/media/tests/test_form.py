"""The multipart body of POST /media, as it should be and as it should not."""

import zlib
from typing import Any

import pytest
from aiohttp import FormData

from cms_host.testing import Answer, Client, MakeSite, Site, dump
from cms_media.testing import form, picture, upload, uploaded

from .conftest import SQLITE_ALONE, kept

pytestmark = SQLITE_ALONE
EDGE = "edge"
HEAD = f'--{EDGE}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'.encode()
END = f"\r\n--{EDGE}--\r\n".encode()
WHOLE = HEAD + picture() + END


async def send(client: Client, body: Any, kind: str = f"multipart/form-data; boundary={EDGE}") -> Answer:
    return await client.post("/media", data=body, headers={"Content-Type": kind})


def part(head: str, content: bytes = b"x") -> bytes:
    return f"--{EDGE}\r\n{head}\r\n\r\n".encode() + content + b"\r\n"


async def test_a_form_is_taken_as_the_standard_writes_it(site: Site) -> None:
    author = await site.client("author")
    alt = part('Content-Disposition: form-data; name="alt"', "Bir tekne ⛵".encode())
    quoted = f'multipart/form-data; boundary="{EDGE}"'
    for body in (WHOLE, alt + WHOLE, b"what comes before\r\n" + alt + WHOLE + b"what follows"):
        answer = await send(author, body, quoted)
        assert answer.status == 201, f"{body!r}: {answer.text}"
        assert answer.data["size"] == len(picture())
    assert answer.data["alt"] == "Bir tekne ⛵"


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("application/json", 415),
        ("text/plain", 415),
        ("image/png", 415),
        ("multipart/mixed; boundary=edge", 415),
        ("application/x-www-form-urlencoded", 415),
        ("multipart/form-data", 400),
        (f"multipart/form-data; boundary={'x' * 71}", 400),
        ("multipart/form-data; boundary=other", 400),
    ],
)
async def test_a_body_of_another_type_is_415_and_one_without_its_boundary_400(
    site: Site, kind: str, status: int
) -> None:
    assert (await send(await site.client("author"), WHOLE, kind)).status == status


MALFORMED = {
    "empty": b"",
    "no_boundary": b"x" * 100,
    "cut_off_in_a_head": HEAD[:40],
    "cut_off_in_a_file": WHOLE[: len(HEAD) + 20],
    "cut_off_before_the_end": WHOLE[: -len(END)],
    "no_last_boundary": WHOLE[:-4],
    "no_name": part("Content-Type: text/plain") + WHOLE,
    "no_head": f"--{EDGE}\r\n\r\nx\r\n".encode() + WHOLE,
    "a_form_in_the_form": part("Content-Type: multipart/mixed; boundary=inner", b"--inner--") + WHOLE,
    "base64": part('Content-Disposition: form-data; name="file"\r\nContent-Transfer-Encoding: base64') + END[2:],
    "another_charset": part('Content-Disposition: form-data; name="alt"\r\nContent-Type: text/plain; charset=utf-7')
    + WHOLE,
    "no_charset": part('Content-Disposition: form-data; name="alt"\r\nContent-Type: text/plain; charset=nonsense')
    + WHOLE,
    "long_charset": part('Content-Disposition: form-data; name="_charset_"', b"x" * 50) + WHOLE,
    "no_utf_8": part('Content-Disposition: form-data; name="alt"', b"\xff\xfe") + WHOLE,
    "nul": part('Content-Disposition: form-data; name="alt"', b"a\0b") + WHOLE,
    "a_line_without_end": f"--{EDGE}\r\nX: {'y' * 100_000}".encode() + WHOLE,
    "many_heads": f"--{EDGE}\r\n".encode() + b"X: y\r\n" * 1000 + b"\r\n" + WHOLE,
    "many_parts": part('Content-Disposition: form-data; name="x"') * 200 + WHOLE,
}


async def test_a_form_that_is_none_is_400_and_nothing_is_stored(site: Site, database_url: str) -> None:
    author = await site.client("author")
    before = dump(database_url)
    for name, body in MALFORMED.items():
        answer = await send(author, body)
        assert answer.status == 400, f"{name}: {answer.text}"

    assert dump(database_url) == before
    assert kept(site) == set()


async def test_a_file_that_is_missing_or_empty_or_comes_twice_is_named(site: Site) -> None:
    author = await site.client("author")
    twice = FormData(default_to_multipart=True)
    for _ in range(2):
        twice.add_field("file", picture(), filename="a.png")
    for sent in (form(None, alt="x"), form(b""), twice):
        answer = await author.post("/media", data=sent)
        assert (answer.status, [each["field"] for each in answer.error["errors"]]) == (400, ["file"]), answer.text


async def test_texts_that_are_too_long_are_named_and_nothing_is_stored(site: Site) -> None:
    answer = await upload(await site.client("author"), alt="x" * 1001, title="y" * 1001)

    assert (answer.status, {each["field"] for each in answer.error["errors"]}) == (422, {"alt", "title"})
    assert kept(site) == set()


@pytest.mark.shows("errors.413.upload")
async def test_an_upload_above_its_limit_is_413_and_named(make_site: MakeSite) -> None:
    site = await make_site(max_upload_bytes=1000)
    author = await site.client("author")

    async def unannounced(body: bytes) -> Any:
        for start in range(0, len(body), 300):
            yield body[start : start + 300]

    assert site.host.config.__class__().max_upload_bytes == 20 * 2**20
    assert (await upload(author, picture() + b"\0" * (1000 - len(picture())))).status == 201
    over = HEAD + b"x" * 1001 + END
    for body in (over, unannounced(over), HEAD + b"x" * 200_000 + END, unannounced(HEAD + b"x" * 200_000 + END)):
        answer = await send(author, body)
        assert (answer.status, "1000 bytes (setting max_upload_bytes)" in answer.error["message"]) == (413, True)
    text = part('Content-Disposition: form-data; name="alt"', b"x" * 66_000)
    heads = b"".join(part(f'Content-Disposition: form-data; name="x"\r\nX: {"y" * 5000}') for _ in range(90))
    for beside in (text, heads):
        assert (await send(author, unannounced(beside + WHOLE))).status == 413
    assert len(kept(site)) == 3


async def test_what_a_form_does_not_know_is_ignored(site: Site) -> None:
    sent = {"path": "x", "author_id": "7", "id": "9", "urls": "x", "mime_type": "text/html"}
    record = await uploaded(await site.client("author"), **sent)

    assert (record["id"], record["author_id"], record["mime_type"]) == (1, 1, "image/png")


async def test_texts_are_plain(site: Site) -> None:
    author = await site.client("author")
    for text in ("<script>alert(1)</script>", "a < b", "İstanbul'da ılık bir gün", " x ", "{{7*7}}", "\u202e"):
        record = await uploaded(author, alt=text, title=text)
        expected = text.replace("<script>", "").replace("</script>", "").strip()
        assert (record["alt"], record["title"]) == (expected, expected)


async def test_nobody_uploads_without_a_role_that_may(site: Site) -> None:
    found = [await upload(site.anonymous), await upload(await site.client("subscriber"))]

    assert [answer.status for answer in found] == [401, 403]
    assert kept(site) == set()


async def test_a_form_within_a_compressed_body_is_no_way_around_the_limit(make_site: MakeSite) -> None:
    site = await make_site(max_upload_bytes=1000)
    packed = zlib.compress(HEAD + b"\0" * 5_000_000 + END)
    headers = {"Content-Type": f"multipart/form-data; boundary={EDGE}", "Content-Encoding": "deflate"}
    answer = await (await site.client("author")).post("/media", data=packed, headers=headers)

    assert (len(packed) < 20_000, answer.status) == (True, 413)
    assert kept(site) == set()
