"""The log: whole lines of JSON, no secrets, and never a reason for the service to fail."""

import asyncio
import json
import logging
import sqlite3
import sys
import threading
import warnings
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from aiohttp.test_utils import make_mocked_request
from aiohttp.web import Response
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Integer, bindparam, create_engine, func, select
from sqlalchemy import cast as sql_cast
from sqlalchemy.exc import DBAPIError

from cms_host.db import Query, make_database
from cms_host.logs import REQUEST_ID, AccessLogger, JsonFormatter, LineHandler, configure_logging
from cms_host.testing import Databases

KEY = "cms_" + "aB3" * 13 + "x"
SECRET_NAMES = [
    "Authorization", "X-API-Key", "Api-Key", "X-Webhook-Signature", "Cookie", "Set-Cookie", "password", "secret",
    "api_key", "new_password", "webhook.inbound_secret",
]  # fmt: skip
#: Not written out in the statements below, for tracebacks quote those.
WORD = "sesame"
#: What moves a terminal's cursor, ends a line somewhere, or turns text around.
DANGEROUS = "\r\n\x1b[31m\x7f\x85\x9b\u2028\u2029\u202e\u2066\u200f\u061c"


def formatted(message: str = "told", *arguments: Any, error: BaseException | None = None, **extra: Any) -> str:
    record = logging.LogRecord("test", logging.INFO, __file__, 1, message, arguments, None)
    if error is not None:
        record.exc_info = (type(error), error, error.__traceback__)
    vars(record).update(extra)
    return JsonFormatter().format(record)


def raised(work: Any) -> BaseException:
    try:
        work()
    except (ValueError, ExceptionGroup) as error:
        return error
    raise AssertionError("nothing was raised")


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bytes]]:
    """What is logged while logging is configured as `serve` does it."""
    root = logging.getLogger()
    level, before = root.level, (root.handlers[:], sys.excepthook, threading.excepthook)
    written: list[bytes] = []
    configure_logging("info", written.append)
    yield written
    logging.captureWarnings(False)
    root.handlers[:], sys.excepthook, threading.excepthook = before
    # Not by assignment: loggers remember what the level lets pass until it is set anew.
    root.setLevel(level)


@pytest.mark.parametrize("name", SECRET_NAMES)
def test_what_goes_under_a_secret_name_is_not_shown(name: str) -> None:
    line = formatted(
        **{name: "sesame"}, headers={name: "sesame", "Accept": "text/html"}, nested=[{"deep": {name: "sesame"}}]
    )
    assert "sesame" not in line
    assert json.loads(line)["headers"] == {name: "[redacted]", "Accept": "text/html"}


def test_our_own_secrets_are_known_wherever_they_are() -> None:
    line = formatted(f"key {KEY} of postgresql://ayse:sesame@db/cms", path=f"/{KEY}", hook="whsec_" + "A1b2" * 8)
    assert KEY not in line
    assert "sesame" not in line
    assert "A1b2" not in line
    assert json.loads(line)["message"] == "key cms_[redacted] of postgresql://ayse:[redacted]@db/cms"


def test_a_record_is_one_line_that_moves_nothing() -> None:
    line = formatted(f"a{DANGEROUS}b", path=DANGEROUS, error=raised(lambda: int(DANGEROUS)))
    assert line.isprintable()
    assert json.loads(line)["path"] == DANGEROUS


@given(
    st.text(), st.dictionaries(st.text(min_size=1), st.text(st.characters()) | st.integers() | st.floats() | st.none())
)
def test_every_record_is_one_printable_line_of_json(message: str, extra: dict[str, Any]) -> None:
    line = formatted("%s", message, values=extra)
    assert "\n" not in line
    assert json.loads(line)["logger"] == "test"


@pytest.mark.parametrize("value", ["\udc80", 1 << 70, {1: object()}, float("nan"), b"\xff", ValueError("x")])
def test_values_that_are_not_json_are_shown_all_the_same(value: Any) -> None:
    assert "value" in json.loads(formatted(value=value))


def test_a_message_whose_arguments_do_not_fit_is_not_lost() -> None:
    assert json.loads(formatted("%d items", "many"))["message"] == "%d items"


def test_a_traceback_tells_every_exception_that_led_to_it() -> None:
    def fail() -> None:
        try:
            raise KeyError("first")
        except KeyError as error:
            raise ExceptionGroup("both", [ValueError("second"), TypeError("third")]) from error

    trace = json.loads(formatted(error=raised(fail)))["traceback"]
    for part in ("KeyError: 'first'", "direct cause", "ExceptionGroup: both", "ValueError: second", "TypeError: third"):
        assert part in trace
    assert "in fail" in trace


async def test_a_database_error_does_not_tell_the_values(databases: Databases) -> None:
    url = databases.make("postgresql", migrated=False)
    async with await psycopg.AsyncConnection.connect(url) as connection:
        await connection.execute("CREATE TEMP TABLE accounts (email text CONSTRAINT one_each UNIQUE)")
        await connection.execute("INSERT INTO accounts VALUES (%s)", [WORD])
        with pytest.raises(psycopg.Error) as caught:
            await connection.execute("INSERT INTO accounts VALUES (%s)", [WORD])
    assert WORD in str(caught.value)
    line = formatted(error=caught.value, cause=caught.value)
    assert WORD not in line
    assert "[table accounts] [constraint one_each]" in line


@pytest.mark.parametrize("kind", Databases.KINDS)
async def test_a_value_that_the_database_refuses_is_not_told(databases: Databases, kind: str) -> None:
    statements = {
        "postgresql": select(sql_cast(bindparam("word"), Integer).label("number")),
        "sqlite": select(func.json(bindparam("word")).label("number")),
    }
    database = make_database(databases.make(kind, migrated=False))
    await database.open()
    with pytest.raises((psycopg.Error, sqlite3.Error)) as caught:
        await database.value(Query(statements), word=WORD)
    await database.close()
    assert WORD not in formatted(error=caught.value)


def test_an_error_of_a_migration_does_not_tell_the_parameters() -> None:
    with create_engine("sqlite://").connect() as connection, pytest.raises(DBAPIError) as caught:
        connection.execute(select(func.json(bindparam("word"))), {"word": WORD})
    assert WORD in str(caught.value)
    line = formatted(error=caught.value)
    assert WORD not in line
    assert "malformed JSON" in line


def test_a_log_that_can_not_be_written_is_counted_and_forgotten() -> None:
    def full(line: bytes) -> None:
        raise OSError(28, "No space left on device")

    handler = LineHandler(full)
    handler.handle(logging.makeLogRecord({"msg": "told"}))
    AccessLogger(handler).log(make_mocked_request("GET", "/"), Response(), 0.0)
    assert handler.lost == 2


def test_an_access_line_leaves_query_and_headers_out(lines: list[bytes]) -> None:
    request = make_mocked_request("GET", f"/a%0d%0ab/{KEY}?key=sesame", {"X-API-Key": "sesame"})
    REQUEST_ID.set("0123456789abcdef")
    handler = logging.getLogger().handlers[0]
    assert isinstance(handler, LineHandler)
    AccessLogger(handler).log(request, Response(), 0.0123)
    REQUEST_ID.set("")
    (line,) = lines
    entry = json.loads(line)
    assert line.count(b"\n") == 1
    assert "sesame" not in line.decode()
    assert (entry["method"], entry["path"], entry["status"]) == ("GET", "/a\r\nb/cms_[redacted]", 200)
    assert (entry["milliseconds"], entry["request_id"]) == (12.3, "0123456789abcdef")


def test_what_nobody_caught_is_logged(lines: list[bytes]) -> None:
    def fail() -> None:
        raise ValueError("in a thread")

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    sys.excepthook(ValueError, ValueError("at the top"), None)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("old", DeprecationWarning, stacklevel=1)
    told = b"".join(lines).decode()
    assert len(lines) == 3
    for part in ("in a thread", "at the top", "DeprecationWarning: old"):
        assert part in told


async def test_an_error_that_the_event_loop_finds_is_logged(lines: list[bytes]) -> None:
    def fail() -> None:
        raise ValueError("in a callback")

    asyncio.get_running_loop().call_soon(fail)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert "in a callback" in b"".join(lines).decode()


def test_names_of_our_modules_are_no_secrets() -> None:
    line = formatted("in /srv/cms_host/middlewares/authenticate.py of cms_webhookdeliveries_2")
    assert "cms_host/middlewares/authenticate.py" in line
