"""Media on a site, as their endpoints make them."""

from collections.abc import Collection, Sequence
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from cms_host.testing import Answer, Site
from cms_media.api import UsingPost

#: For what no database has a part in.
SQLITE_ALONE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def kept(site: Site) -> set[str]:
    """Every file below the media folder, those on their way included."""
    folder = site.host.data_dir / "media"
    return {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}


def folder_of(site: Site) -> Path:
    return site.host.data_dir / "media"


async def show(site: Site, path: str, method: str = "GET", **headers: str) -> Answer:
    """What anybody gets for the path of a file."""
    return await site.fetch(method, f"/media/{path}", headers=headers)


async def shown(site: Site, url: str) -> Image.Image:
    """The image at an address of a record of a site without `base_url`."""
    answer = await site.fetch("GET", url)
    assert answer.status == 200, url
    return Image.open(BytesIO(answer.body))


class Uses:
    """Posts that use what they are said to use."""

    def __init__(self, *posts: tuple[int, str], path: str) -> None:
        self._posts = [UsingPost(*post) for post in posts]
        self._path = path

    async def using(self, paths: Collection[str]) -> Sequence[UsingPost]:
        return self._posts if self._path in paths else []
