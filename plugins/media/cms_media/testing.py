"""Images for tests, ours and those of whoever builds on media, and how they are uploaded."""

from io import BytesIO
from typing import Any

from aiohttp import FormData
from PIL import Image

from cms_host.testing import Answer, Client


def picture(kind: str = "PNG", *, size: tuple[int, int] = (8, 6), mode: str = "RGB", **options: Any) -> bytes:
    """A small image file.

    :param kind: Pillow's name of the format; `options` are those of its `save`.
    """
    made = BytesIO()
    Image.new(mode, size, options.pop("color", 0)).save(made, kind, **options)
    return made.getvalue()


def form(
    file: bytes | None, *, filename: str = "photo.png", content_type: str = "application/octet-stream", **fields: str
) -> FormData:
    """The body of an upload.

    :param filename, content_type: what the client says of the file.
    """
    # A boundary that is another one each time, as clients have it.
    data = FormData(default_to_multipart=True)
    for name, value in fields.items():
        data.add_field(name, value)
    if file is not None:
        data.add_field("file", file, filename=filename, content_type=content_type)
    return data


async def upload(client: Client, file: bytes | None = None, *, key: str | None = None, **fields: str) -> Answer:
    """Send an image, a small one unless another is given."""
    headers = {"Idempotency-Key": key} if key else {}
    return await client.post("/media", data=form(picture() if file is None else file, **fields), headers=headers)


async def uploaded(client: Client, file: bytes | None = None, **fields: str) -> dict[str, Any]:
    """The record of a new medium."""
    answer = await upload(client, file, **fields)
    assert answer.status == 201, answer.text
    record: dict[str, Any] = answer.data
    return record
