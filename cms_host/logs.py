"""Logs: one JSON object a line, with the request id, without secrets, and never in the way of the service."""

import json
import logging
import os
import sys
import threading
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import partial
from time import time_ns
from types import TracebackType
from typing import Any

import orjson
from aiohttp.abc import AbstractAccessLogger
from aiohttp.web import BaseRequest, StreamResponse

from cms_host.one_line import UNPRINTABLE
from cms_host.redaction import REDACTED, describe, is_secret, redacted, without_secrets
from cms_host.tracebacks import format_error

#: The request under way; empty outside of one.
REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="")
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_STANDARD_ERROR = 2
#: Loggers whose every step is below the interest of operators.
CHATTY = ("alembic", "asyncio")


class JsonFormatter(logging.Formatter):
    """A record as one line of JSON; whatever was passed as `extra` is part of it."""

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": _message(record),
        }
        if request_id := REQUEST_ID.get():
            entry["request_id"] = request_id
        for key, value in vars(record).items():
            if key not in _STANDARD:
                entry[key] = REDACTED if is_secret(key) else redacted(value)
        if record.exc_info and record.exc_info[1] is not None:
            entry["traceback"] = format_error(record.exc_info[1])
        return without_secrets(_line(entry))


class LineHandler(logging.Handler):
    """Writes each record by one call, so that the lines of several processes do not mix.

    A line that can't be written (full disk, broken pipe) is counted and given up: the service goes on.
    """

    def __init__(self, write: Callable[[bytes], object]) -> None:
        super().__init__()
        self._write = write
        #: Lines that could not be written.
        self.lost = 0

    def emit(self, record: logging.LogRecord) -> None:
        try:
            line = self.format(record).encode()
        except Exception:  # noqa: BLE001 - a value that can't even be shown must not fail the work that logs it.
            self.lost += 1
        else:
            self.write_line(line)

    def write_line(self, line: bytes) -> None:
        """Write a line that is ready but for its end."""
        try:
            self._write(line + b"\n")
        except Exception:  # noqa: BLE001 - there is nowhere left to tell it.
            self.lost += 1


class AccessLogger(AbstractAccessLogger):
    """One line for each request: never its query string or headers, which may hold secrets.

    Lines go past the logging module, whose records take longer than many a request (docs/decisions/0013).
    """

    enabled = True

    def __init__(self, handler: LineHandler) -> None:
        self._write_line = handler.write_line
        self._second = 0
        self._stamp = ""

    def log(self, request: BaseRequest, response: StreamResponse, time: float) -> None:
        entry = {
            "time": self._now(),
            "level": "INFO",
            "logger": "cms_host.access",
            "message": "request",
            "request_id": REQUEST_ID.get(),
            "method": request.method,
            "path": without_secrets(request.path),
            "status": response.status,
            "milliseconds": round(time * 1000, 2),
            "peer": request.remote,
            "bytes": response.body_length,
        }
        self._write_line(_line(entry).encode())

    def _now(self) -> str:
        second, nanoseconds = divmod(time_ns(), 1_000_000_000)
        if second != self._second:
            self._second = second
            self._stamp = datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")
        return f"{self._stamp}.{nanoseconds // 1_000_000:03d}+00:00"


def configure_logging(level: str, write: Callable[[bytes], object] | None = None) -> LineHandler:
    """Send log records from `level` up, warnings, and errors that nobody caught to one place, as JSON lines.

    :param write: takes whole lines; standard error without one.
    """
    handler = LineHandler(write or partial(os.write, _STANDARD_ERROR))
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for chatty in CHATTY:
        logging.getLogger(chatty).setLevel(logging.WARNING)
    logging.captureWarnings(True)
    sys.excepthook = _log_uncaught
    threading.excepthook = lambda failed: _log_uncaught(failed.exc_type, failed.exc_value, failed.exc_traceback)
    return handler


def _log_uncaught(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    logging.getLogger("cms_host").critical("uncaught error", exc_info=(kind, error or kind(), trace))


def _message(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except Exception:  # noqa: BLE001 - arguments that do not fit the message must not lose it.
        return str(record.msg)


def _line(entry: dict[str, Any]) -> str:
    try:
        line = orjson.dumps(entry, default=_plain).decode()
    except (TypeError, ValueError):
        # Halves of surrogate pairs and integers past 64 bits, which orjson refuses.
        line = json.dumps(entry, default=_plain)
    return line if line.isascii() else UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", line)


def _plain(value: Any) -> Any:
    if isinstance(value, BaseException):
        return describe(value)
    return redacted(value) if isinstance(value, Mapping) else str(value)
