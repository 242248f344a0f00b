"""The JSON body reader, by real requests: what it takes, and what it refuses with which status."""

import gzip
import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from cms_host.testing import Answer, Client, MakeSite

# Nothing of this comes as far as a database.
pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
JSON = {"Content-Type": "application/json"}


@pytest.fixture
async def author(make_site: MakeSite, probe: Sequence[str]) -> Client:
    site = await make_site(enabled=probe, max_body_bytes=200_000)
    return await site.client("author")


async def send(client: Client, body: bytes | str | AsyncIterator[bytes], **headers: str) -> Answer:
    return await client.post("/probe", data=body, headers=JSON | headers)


def field_with(value: str) -> bytes:
    return b'{"title": %s}' % value.encode()


@pytest.mark.shows("errors.unknown")
async def test_known_fields_come_through_and_others_are_ignored(author: Client) -> None:
    answer = await author.post("/probe", json={"title": "T", "count": 3, "content_html": "<b>", "sanitized": True})

    assert (answer.status, answer.data) == (201, {"title": "T", "count": 3})


async def test_an_omitted_optional_field_is_not_there(author: Client) -> None:
    assert (await author.post("/probe", json={"title": "T"})).data == {"title": "T"}


@pytest.mark.shows("values.text.kept")
async def test_text_is_brought_to_one_unicode_form(author: Client) -> None:
    answer = await author.post("/probe", json={"title": "s\u0327"})

    assert answer.data["title"] == "ş"


@pytest.mark.parametrize(
    "content_type",
    ["application/json", "application/json; charset=utf-8", "application/JSON;charset=UTF8", "application/vnd.x+json"],
)
async def test_json_types_are_taken(author: Client, content_type: str) -> None:
    assert (await send(author, b'{"title": "T"}', **{"Content-Type": content_type})).status == 201


@pytest.mark.parametrize(
    "content_type",
    [
        "text/plain",
        "text/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json; charset=utf-7",
        "application/json; charset=utf-16",
        "application/json; charset=bogus",
        "application/json; charset=undefined",
        "application/json; charset=zlib_codec",
        "nonsense",
    ],
)
@pytest.mark.shows("errors.415")
async def test_other_types_are_unsupported(author: Client, content_type: str) -> None:
    answer = await send(author, b'{"title": "T"}', **{"Content-Type": content_type})

    assert (answer.status, answer.error["code"]) == (415, 415)


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"nonsense",
        b'{"title": "T"} {}',
        b"{'title': 'T'}",
        b'{"title": "T",}',
        b'{"title": "\xff"}',
        b'\xef\xbb\xbf{"title": "T"}',
        '{"title": "T"}'.encode("utf-16"),
        b'{"title": "T", "title": "U"}',
        b'{"title": "T", "deep": {"a": 1, "a": 2}}',
        field_with('"a\tb"'),
        field_with("NaN"),
        field_with("Infinity"),
        field_with("-Infinity"),
        field_with("1e999"),
        field_with("-1e999"),
        field_with("9" * 5000),
        field_with(str(2**63)),
        field_with(str(-(2**63) - 1)),
        field_with(r'"\u0000"'),
        field_with(r'"\ud800"'),
        field_with(r'"\udc00\ud800"'),
        field_with(r'{"\u0000": 1}'),
        field_with(r'{"\ud800": 1}'),
        field_with("[" * 64 + "]" * 64),
        field_with('{"a":' * 64 + "1" + "}" * 64),
        field_with("[" * 90_000 + "]" * 90_000),
        b"[" * 100_000,
    ],
    ids=range(28),
)
@pytest.mark.shows(
    "errors.400.json", "errors.400.nul", "errors.400.surrogates", "errors.400.nan", "errors.400.bom", "errors.400.deep",
)  # fmt: skip
async def test_what_is_not_well_formed_is_a_bad_request(author: Client, body: bytes) -> None:
    answer = await send(author, body)

    assert (answer.status, answer.error["code"]) == (400, 400)
    assert "errors" not in answer.error


@pytest.mark.parametrize("body", [b"[]", b'"text"', b"1", b"null", b"true"])
@pytest.mark.shows("errors.400.object")
async def test_a_body_that_is_no_object_is_a_bad_request(author: Client, body: bytes) -> None:
    assert (await send(author, body)).error == {"code": 400, "message": "The JSON body must be an object"}


@pytest.mark.parametrize("body", [b"", b"  \n"])
async def test_an_empty_body_is_an_empty_object(author: Client, body: bytes) -> None:
    answer = await author.post("/probe", data=body)

    assert (answer.status, [each["field"] for each in answer.error["errors"]]) == (400, ["title"])


@pytest.mark.shows("errors.400.deep")
async def test_sixty_four_levels_are_allowed(author: Client) -> None:
    # The body itself is the first level.
    nested = "[" * 63 + "]" * 63

    assert (await send(author, b'{"title": "T", "other": %s}' % nested.encode())).status == 201


@pytest.mark.parametrize("value", [2**63 - 1, -(2**63)])
async def test_integers_of_sixty_four_bits_are_allowed(author: Client, value: int) -> None:
    assert (await author.post("/probe", json={"title": "T", "count": value})).data["count"] == value


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", None), ("title", 1), ("title", ["T"]), ("title", ""), ("title", " \t"),
        ("note", 1), ("note", None), ("status", 1), ("count", "1"), ("count", 1.0), ("count", True), ("count", None),
        ("featured", 1), ("featured", "true"), ("tags", "a"), ("tags", [1]), ("tags", None), ("at", 5),
    ],
)  # fmt: skip
@pytest.mark.shows("errors.400.type", "errors.fields.words")
async def test_a_field_of_the_wrong_type_is_a_bad_request_that_names_it(author: Client, field: str, value: Any) -> None:
    answer = await author.post("/probe", json={"title": "T", field: value})

    assert answer.status == 400
    assert [error["field"].partition(".")[0] for error in answer.error["errors"]] == [field]
    assert field in answer.error["message"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("note", "more than ten"), ("status", "gone"), ("status", ""), ("tags", ["longer than five"]),
        ("tags", ["a"] * 4), ("at", "soon"), ("at", "2026-02-30 00:00:00"), ("at", "0000-00-00 00:00:00"),
        ("at", "10000-01-01"), ("at", "2026-1-1 1:1:1"), ("at", "٢٠٢٦-٠١-٠١"), ("at", "2026-01-01T00:00:00+25:00"),
        ("at", ""),
    ],
)  # fmt: skip
@pytest.mark.shows("values.moment.refused")
async def test_a_value_that_can_not_be_accepted_is_unprocessable(author: Client, field: str, value: Any) -> None:
    answer = await author.post("/probe", json={"title": "T", field: value})

    assert (answer.status, answer.error["code"]) == (422, 422)
    assert [error["field"].partition(".")[0] for error in answer.error["errors"]] == [field]


async def test_a_mistyped_field_beside_an_unacceptable_one_is_a_bad_request(author: Client) -> None:
    answer = await author.post("/probe", json={"title": 1, "status": "gone"})

    assert answer.status == 400
    assert {error["field"] for error in answer.error["errors"]} == {"title", "status"}


@pytest.mark.shows("errors.413.body")
async def test_a_body_that_says_it_is_too_large_is_refused(author: Client) -> None:
    answer = await send(author, b'{"title": "%s"}' % (b"x" * 200_000))

    assert answer.status == 413
    assert "200000" in answer.error["message"]
    assert "max_body_bytes" in answer.error["message"]


async def test_a_body_that_turns_out_too_large_is_refused(author: Client) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(30):
            yield b"x" * 10_000

    assert (await send(author, endless())).status == 413


async def test_a_body_that_unpacks_to_too_much_is_refused(author: Client) -> None:
    packed = gzip.compress(b'{"title": "%s"}' % (b"x" * 5_000_000))

    assert len(packed) < 20_000
    assert (await send(author, packed, **{"Content-Encoding": "gzip"})).status == 413


async def test_a_packed_body_is_unpacked(author: Client) -> None:
    answer = await send(author, gzip.compress(b'{"title": "T"}'), **{"Content-Encoding": "gzip"})

    assert answer.data == {"title": "T"}


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", b'{"title": "T"}'),
        ("gzip", gzip.compress(b'{"title": "T"}')[:-16]),
        ("gzip", b"\x1f\x8b" + b"\xff" * 20),
        ("deflate", b'{"title": "T"}'),
    ],
    ids=range(4),
)
async def test_a_badly_packed_body_is_a_bad_request(author: Client, encoding: str, body: bytes) -> None:
    assert (await send(author, body, **{"Content-Encoding": encoding})).status == 400


async def test_a_good_request_works_after_a_bad_one_on_the_same_connection(author: Client) -> None:
    for body in (b"{", b"[" * 100_000, json.dumps({"title": "x" * 300_000}).encode()):
        await send(author, body)

        assert (await send(author, b'{"title": "T"}')).status == 201


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("page=2&search=x&unknown=1", 200),
        ("page=-1", 200),
        (f"page={'9' * 1000}", 200),
        ("page=1&page=2", 200),
        ("page=x", 422), ("page=", 422), ("page=1.0", 422), ("page=%D9%A1", 422), ("page=+1", 422), ("page=1e9", 422),
        ("page=true", 422),
        ("search=%00", 400), ("search=%ff", 400), ("search=%ED%A0%80", 400),
    ],
)  # fmt: skip
async def test_query_parameters(author: Client, query: str, status: int) -> None:
    assert (await author.get(f"/probe/filter?{query}")).status == status


async def test_a_number_beyond_all_bounds_is_the_largest_one(author: Client) -> None:
    assert (await author.get(f"/probe/filter?page={'9' * 30}")).data == {"page": 2**63 - 1}
