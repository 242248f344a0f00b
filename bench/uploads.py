"""What W9 sends, and what a right answer to it is."""

from collections.abc import Sequence

from bench.client import WrongAnswerError
from bench.photographs import UPLOADED, photograph
from bench.site import Site

#: On which an upload is tried; some reach either process.
CONNECTIONS = 6


def one_photograph(_site: Site, _count: int) -> list[str]:
    """Return a JPEG of 2000 by 1333 pixels in hex; the script makes a form of it."""
    return [photograph(*UPLOADED).hex()]


def check_uploading(site: Site, lines: Sequence[str]) -> None:
    """A photograph becomes a medium of its size, with three files that anybody may see.

    It is sent on several connections: each process starts its image worker at its first image, which takes a moment.
    """
    for line in [*lines] * CONNECTIONS:
        with site.editor() as client:
            record = client.upload("/api/v1/media", "photograph.jpg", bytes.fromhex(line), "image/jpeg")
            stored = client.get(f"/api/v1/media/{record['id']}")
            shown = [client.has(url) for url in stored["urls"].values()]
        if (stored["width"], stored["height"]) != UPLOADED or stored != record or shown != [True] * 3:
            raise WrongAnswerError(f"POST /api/v1/media: {record}, stored as {stored}, shown {shown}")
