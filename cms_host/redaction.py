"""Keeps secrets out of logs: by the names that they go under, and by what our own ones look like."""

import re
import sqlite3
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import psycopg
from sqlalchemy.exc import StatementError

REDACTED = "[redacted]"
#: Header and field names; `inbound_secret` and `X-Webhook-Signature` hold one of these words.
_SECRET_NAME = re.compile(r"authorization|api_?key|signature|cookie|password|secret|token", re.IGNORECASE)
#: API keys and webhook secrets as this service makes them, and the password in the URL of a database.
_SECRET_VALUE = re.compile(r"(cms_)[A-Za-z0-9]{16,}|(whsec_)[A-Za-z0-9+/=]{16,}|(://[^/\s:@\"]*:)[^@\s\"]+(?=@)")
#: Classes of SQLSTATE whose message quotes what was sent: data exceptions and integrity violations.
_QUOTING_CLASSES = ("22", "23")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")


def redacted(value: Any) -> Any:
    """The value without secrets: those of mappings are known by their keys, at any depth."""
    if isinstance(value, Mapping):
        return {str(key): REDACTED if is_secret(str(key)) else redacted(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [redacted(each) for each in value]
    return value


@lru_cache(maxsize=1024)
def is_secret(name: str) -> bool:
    """Whether what goes under this name is nobody's business."""
    return _SECRET_NAME.search(name.replace("-", "_")) is not None


def without_secrets(text: str) -> str:
    """The text with our keys, our webhook secrets and passwords in URLs taken out."""
    if "cms_" in text or "whsec_" in text or "://" in text:
        return _SECRET_VALUE.sub(_blank, text)
    return text


def describe(error: BaseException) -> str:
    """An exception's type and message; where a database quotes the values it was sent, without them."""
    kind = type(error)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    message = _message(error)
    return f"{name}: {message}" if message else name


def _message(error: BaseException) -> str:
    if isinstance(error, psycopg.Error):
        return _of_postgresql(error)
    if isinstance(error, sqlite3.Error):
        return _QUOTED.sub("...", str(error))
    if isinstance(error, StatementError):
        # Its own text goes on with the statement and its parameters.
        return describe(error.orig) if error.orig else ""
    return str(error)


def _of_postgresql(error: psycopg.Error) -> str:
    """The first line only: DETAIL and CONTEXT, which follow it, tell rows and parameters."""
    message = str(error).partition("\n")[0]
    if (error.sqlstate or "").startswith(_QUOTING_CLASSES):
        message = _QUOTED.sub("...", message)
    return " ".join([message, *_places(error)])


def _places(error: psycopg.Error) -> Iterator[str]:
    for name in ("table_name", "column_name", "constraint_name"):
        if value := getattr(error.diag, name, None):
            yield f"[{name.removesuffix('_name')} {value}]"


def _blank(match: re.Match[str]) -> str:
    return f"{match[1] or match[2] or match[3]}{REDACTED}"
