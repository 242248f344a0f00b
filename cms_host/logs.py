"""Logs: one JSON object a line, with the request id and without secrets."""

import logging
import sys
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, TextIO

import orjson
from aiohttp.abc import AbstractAccessLogger
from aiohttp.web import BaseRequest, StreamResponse

#: The request under way; empty outside of one.
REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="")
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class JsonFormatter(logging.Formatter):
    """A record as one line of JSON; whatever was passed as `extra` is part of it."""

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if request_id := REQUEST_ID.get():
            entry["request_id"] = request_id
        entry |= {key: value for key, value in vars(record).items() if key not in _STANDARD}
        if record.exc_info:
            entry["traceback"] = "".join(traceback.format_exception(*record.exc_info))
        return orjson.dumps(entry, default=str).decode()


class AccessLogger(AbstractAccessLogger):
    """One line for each request: never its query string or headers, which may hold secrets."""

    @property
    def enabled(self) -> bool:
        return self.logger.isEnabledFor(logging.INFO)

    def log(self, request: BaseRequest, response: StreamResponse, time: float) -> None:
        self.logger.info(
            "request",
            extra={
                "method": request.method,
                "path": request.path,
                "status": response.status,
                "milliseconds": round(time * 1000, 2),
                "peer": request.remote,
                "bytes": response.body_length,
            },
        )


def configure_logging(level: str, stream: TextIO = sys.stderr) -> None:
    """Send everything from `level` up to the stream as JSON lines."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
