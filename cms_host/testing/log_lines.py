"""What the log would say."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager


class _Lines(logging.Handler):
    """Keeps what would be written."""

    def __init__(self) -> None:
        from cms_host.logs import JsonFormatter

        super().__init__()
        self.setFormatter(JsonFormatter())
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@contextmanager
def listening_to_the_log() -> Iterator[list[str]]:
    """The lines of JSON that are logged, at any level, for as long as the block lasts."""
    root, handler = logging.getLogger(), _Lines()
    level = root.level
    root.setLevel(logging.DEBUG)
    root.addHandler(handler)
    try:
        yield handler.lines
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
