"""Which files an operator means."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from cms_content_queue.article import FORMATS


def files_of(paths: Iterable[Path]) -> Iterator[Path]:
    """The paths themselves, and for folders the articles in them and below, by name; what is hidden is left out."""
    for path in paths:
        if path.is_dir():
            yield from _below(path)
        else:
            yield path


def _below(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith(".") and Path(name).suffix.lower() in FORMATS:
                yield Path(place, name)


def shown(path: Path) -> str:
    """A path as it can be stored and shown, whatever bytes the file's name has."""
    return os.fsencode(path).decode("utf-8", "replace")
