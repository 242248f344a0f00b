"""The field types: what each takes, with which status it refuses the rest, and that the document says the same."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import marshmallow as ma
import pytest
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from hypothesis import example, given
from hypothesis import strategies as st
from marshmallow.validate import Length, Range
from openapi_schema_validator import OAS30Validator, oas30_format_checker

from cms_host.answers import Error, GateRefusal, LocalTime, Record
from cms_host.errors import FieldError, FieldErrors, Refused
from cms_host.moments import local, to_micros, zone_names
from cms_host.paging import PageRecord
from cms_host.schema import (
    MAX_NUMBER,
    Choice,
    Flag,
    Moment,
    Number,
    Schema,
    Text,
    Texts,
    Whole,
    load,
    unacceptable,
)  # fmt: skip

MISTYPED, UNACCEPTABLE = 400, 422
#: Bounds of a strategy, whose zone is given apart.
EARLIEST, LATEST = (datetime.fromisoformat(day) for day in ("1000-01-02", "9998-12-30"))


class Sources(Schema):
    names = Texts(limit=4, most=2)


class Fields(Schema):
    title = Text(required=True, limit=8)
    note = Text(limit=4, allow_none=True)
    endless = Text(limit=None)
    filled = Text(filled=True)
    status = Choice("draft", "published")
    count = Whole()
    featured = Flag()
    tags = Texts(limit=4, most=3)
    editorial = ma.fields.Nested(Sources)


def documented(schema: type[ma.Schema]) -> dict[str, Any]:
    """The schema as OpenAPI has it, with everything that it refers to put in place."""
    # Given no names, apispec writes nested schemas where they are used.
    plugin = MarshmallowPlugin(schema_name_resolver=lambda _: None)
    spec = APISpec(title="", version="", openapi_version="3.0.3", plugins=[plugin])
    spec.components.schema("It", schema=schema)
    found: dict[str, Any] = spec.to_dict()["components"]["schemas"]["It"]
    return found


def refusal(schema: type[ma.Schema], data: Mapping[str, Any]) -> FieldErrors | None:
    """What is wrong with the data, or None."""
    try:
        load(schema(), data)
    except FieldErrors as error:
        return error
    return None


def refused(schema: type[ma.Schema], data: Mapping[str, Any]) -> FieldErrors:
    error = refusal(schema, data)
    assert error is not None
    return error


def one(field: ma.fields.Field[Any]) -> type[ma.Schema]:
    """A schema of this one field, named `it`."""
    return Schema.from_dict({"it": field})


def status_of(field: ma.fields.Field[Any], value: Any) -> int:
    """The answer's status with this value in the field."""
    error = refusal(one(field), {"it": value})
    return error.status if error else 200


words = st.text("aç ", max_size=6) | st.sampled_from(["draft", "published", "\t\n", "\x85", "𝔞𝔟𝔠𝔡"])
scalars = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | words
values = (
    scalars | st.lists(scalars, max_size=5) | st.fixed_dictionaries({}, optional={"names": st.lists(scalars) | words})
)
names = st.sampled_from([*Fields().fields, "unknown"])
# One field at a time: of five at random, one is nearly always wrong, and hides what became of the rest.
bodies = st.dictionaries(names, values, max_size=1).map(lambda body: {"title": "T", **body})


@given(bodies)
@example({"title": "T", "editorial": {"names": ["a", "b"]}, "note": None, "unknown": 1})
@example({})
def test_what_the_document_allows_is_read_and_nothing_else(body: dict[str, Any]) -> None:
    error = refusal(Fields, body)

    assert OAS30Validator(documented(Fields), format_checker=oas30_format_checker).is_valid(body) == (error is None)
    if error is None:
        assert load(Fields(), body).keys() == body.keys() & Fields().fields.keys()
    else:
        assert error.status in (MISTYPED, UNACCEPTABLE)
        assert {each.field.partition(".")[0] for each in error.errors} <= set(Fields().fields)


@pytest.mark.parametrize(
    ("field", "value", "status"),
    [
        (Text(limit=3), "abc", 200), (Text(limit=3), "", 200), (Text(limit=3), "𝔞𝔟𝔠", 200),
        (Text(limit=3), "abcd", UNACCEPTABLE), (Text(), 1, MISTYPED), (Text(), None, MISTYPED), (Text(), [], MISTYPED),
        (Text(limit=None), "x" * 200_000, 200), (Text(), "x" * 100_001, UNACCEPTABLE),
        (Text(allow_none=True), None, 200),
        (Text(filled=True), " \u00a0\n", MISTYPED), (Text(required=True), "", MISTYPED), (Text(filled=True), "a", 200),
        (Choice("a", "b"), "a", 200), (Choice("a", "b"), "A", UNACCEPTABLE), (Choice("a", "b"), "", UNACCEPTABLE),
        (Choice("a", "b"), 1, MISTYPED), (Choice("a", "b"), None, MISTYPED), (Choice("a", allow_none=True), None, 200),
        (Whole(), 0, 200), (Whole(), -5, 200), (Whole(), True, MISTYPED), (Whole(), 1.0, MISTYPED),
        (Whole(), "1", MISTYPED), (Whole(validate=Range(min=1)), 0, UNACCEPTABLE),
        (Number(), "0", 200), (Number(), "-7", 200), (Number(), "1.0", UNACCEPTABLE), (Number(), "", UNACCEPTABLE),
        (Number(), "+1", UNACCEPTABLE), (Number(), " 1", UNACCEPTABLE), (Number(), "١", UNACCEPTABLE),
        (Number(), "1" * 1001, UNACCEPTABLE), (Number(), "1\n", UNACCEPTABLE),
        (Flag(), True, 200), (Flag(), 0, MISTYPED), (Flag(), "true", MISTYPED), (Flag(), None, MISTYPED),
        (Texts(), [], 200), (Texts(), "a", MISTYPED), (Texts(), {"a": 1}, MISTYPED), (Texts(), [1], MISTYPED),
        (Texts(limit=2), ["abc"], UNACCEPTABLE), (Texts(limit=2), ["abc", 1], MISTYPED),
        (Texts(most=2), ["a"] * 3, UNACCEPTABLE), (Texts(most=2), [1] * 3, UNACCEPTABLE),
        (Texts(validate=Length(min=1)), [], UNACCEPTABLE),
        (Moment(), "2026-01-31 09:30:00", 200), (Moment(), "2026-01-31T09:30:00+03:00", 200),
        (Moment(), "2026-01-31", 200),
        (Moment(), "2026-01-31T09:30Z", 200), (Moment(), "2026-02-30", UNACCEPTABLE), (Moment(), "soon", UNACCEPTABLE),
        (Moment(), "", UNACCEPTABLE), (Moment(), 5, MISTYPED), (Moment(), None, MISTYPED),
        (Moment(allow_none=True), None, 200),
    ],
)  # fmt: skip
def test_each_type_knows_what_is_mistyped_and_what_is_unacceptable(
    field: ma.fields.Field[Any], value: Any, status: int
) -> None:
    assert status_of(field, value) == status


@pytest.mark.parametrize(
    ("text", "number"),
    [("5", 5), ("-0", 0), ("0" * 30 + "5", 5), ("9" * 30, MAX_NUMBER), ("-" + "9" * 30, -MAX_NUMBER)],
)
def test_a_number_is_read_whatever_its_length(text: str, number: int) -> None:
    assert load(one(Number())(), {"it": text}) == {"it": number}


def test_one_mistyped_field_makes_all_of_it_a_bad_request_and_each_is_named() -> None:
    error = refusal(
        Fields, {"title": "T", "note": "too long", "count": "1", "editorial": {"names": ["ok", "too long"]}}
    )

    assert error.status == MISTYPED
    assert error.errors == (
        FieldError("note", "Must be at most 4 characters long."),
        FieldError("count", "Must be an integer."),
        FieldError("editorial.names.1", "Must be at most 4 characters long."),
    )
    assert all(each.field in error.message for each in error.errors)


def test_a_missing_field_is_a_bad_request_that_names_it() -> None:
    error = refused(Fields, {"note": "ok"})

    assert (error.status, [each.field for each in error.errors]) == (MISTYPED, ["title"])


@pytest.mark.parametrize("value", ["text", 5, [], None])
def test_what_is_no_object_where_one_belongs_is_told_under_its_own_name(value: Any) -> None:
    error = refused(Fields, {"title": "T", "editorial": value})

    assert (error.status, [each.field for each in error.errors]) == (MISTYPED, ["editorial"])


def test_a_schema_of_its_own_mind_answers_422() -> None:
    class Range(Schema):
        first = Whole()
        last = Whole()

        @ma.validates_schema
        def in_order(self, data: dict[str, Any], **_: Any) -> None:
            if data["first"] > data["last"]:
                unacceptable("The first comes after the last.")

    error = refused(Range, {"first": 2, "last": 1})

    assert (error.status, error.errors) == (422, (FieldError("body", "The first comes after the last."),))


@given(st.from_regex(documented(one(Moment()))["properties"]["it"]["pattern"]))
def test_whatever_looks_like_a_moment_is_one(text: str) -> None:
    assert status_of(Moment(), text) == 200


@given(st.datetimes(), st.sampled_from([" ", "T"]), st.sampled_from(["seconds", "minutes", "microseconds"]))
def test_a_moment_that_is_read_looks_as_documented(moment: Any, gap: str, precision: str) -> None:
    schema = documented(one(Moment()))
    text = moment.isoformat(gap, precision)
    if status_of(Moment(), text) == 200:
        assert OAS30Validator(schema).is_valid({"it": text})


@given(st.datetimes(EARLIEST, LATEST, timezones=st.just(UTC)), st.sampled_from(sorted(zone_names())))
def test_a_moment_that_is_shown_looks_as_documented(moment: datetime, zone: str) -> None:
    shown = {"it": local(to_micros(moment), zone)}

    assert OAS30Validator(documented(one(LocalTime()))).is_valid(shown)


@pytest.mark.parametrize(
    ("field", "said"),
    [
        (Text(limit=3), {"type": "string", "maxLength": 3}),
        (Text(limit=None), {"type": "string"}),
        (
            Text(limit=3, filled=True),
            {"type": "string", "maxLength": 3, "minLength": 1, "pattern": r"[^\s\x1c-\x1f\x85]"},
        ),
        (Text(limit=3, allow_none=True), {"type": "string", "maxLength": 3, "nullable": True}),
        (Text(limit=3, metadata={"example": "abc"}), {"type": "string", "maxLength": 3, "example": "abc"}),
        (Choice("a", "b"), {"type": "string", "enum": ["a", "b"]}),
        (Choice("a", allow_none=True), {"type": "string", "enum": ["a", None], "nullable": True}),
        (Whole(), {"type": "integer", "format": "int64"}),
        (Whole(validate=Range(1, 9)), {"type": "integer", "format": "int64", "minimum": 1, "maximum": 9}),
        (Number(), {"type": "integer"}),
        (Flag(), {"type": "boolean"}),
        (Texts(limit=2, most=5), {"type": "array", "maxItems": 5, "items": {"type": "string", "maxLength": 2}}),
    ],
)
def test_each_type_is_documented(field: ma.fields.Field[Any], said: dict[str, Any]) -> None:
    assert documented(one(field))["properties"]["it"] == said


def test_a_moment_is_documented_as_text_for_the_common_form_is_not_rfc_3339() -> None:
    said = documented(one(Moment(metadata={"description": "When."})))["properties"]["it"]

    assert (said["type"], said["description"], "format" in said) == ("string", "When.", False)


def test_a_record_always_has_its_fields_but_for_the_optional_ones() -> None:
    class Thing(Record):
        id = ma.fields.Integer()
        name = ma.fields.String(allow_none=True)
        more = ma.fields.Dict(metadata={"optional": True})

    class Things(PageRecord):
        items = ma.fields.List(ma.fields.Nested(Thing))

    assert documented(Thing)["required"] == ["id", "name"]
    assert documented(Things)["required"] == ["current_page", "items", "pages", "per_page", "total"]
    assert not Thing._declared_fields["id"].required


@pytest.mark.parametrize(
    ("schema", "body"),
    [
        (Error, FieldErrors([FieldError("title", "Must not be empty.")]).body()),
        (Error, {"success": False, "error": {"code": 401, "message": "Unauthorized"}}),
        (GateRefusal, Refused([{"code": "short_title", "message_tr": "Kısa.", "message_en": "Short."}]).body()),
    ],
)
def test_the_errors_that_are_documented_are_those_that_are_sent(schema: type[Record], body: dict[str, Any]) -> None:
    valid: Callable[[Any], bool] = OAS30Validator(documented(schema)).is_valid

    assert valid(body)
    assert not valid({**body, "success": True})
    assert not valid({key: value for key, value in body.items() if key != "error"})


@given(st.text(max_size=3) | st.sampled_from([*map(chr, range(0x20)), "\x85", "\xa0", "\u2028", "\u3000"]))
def test_a_text_that_must_not_be_empty_is_taken_where_its_pattern_says_so(sent: str) -> None:
    class Filled(Schema):
        text = Text(filled=True)

    is_said = re.search(Filled().fields["text"].metadata["pattern"], sent) is not None
    assert ("text" not in Filled().validate({"text": sent})) == is_said
