"""Shapes of answers, for the API's document alone: the answers themselves are made by plain functions.

A plugin declares those of its own endpoints with `@response_schema`; the envelope around them is the host's.
"""

from typing import Any

import marshmallow as ma
from marshmallow import fields

from cms_host.schema import Schema


class Record(Schema):
    """An object of an answer. Its fields are always there, but for those with `metadata={"optional": True}`."""

    def on_bind_field(self, field_name: str, field_obj: ma.fields.Field[Any]) -> None:
        field_obj.required = not field_obj.metadata.get("optional", False)


class LocalTime(fields.String):
    """A date and time in the site's zone, as `moments.local` writes it."""

    def __init__(self, **kwargs: Any) -> None:
        form = {"pattern": r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$", "example": "2026-01-31 09:30:00"}
        super().__init__(metadata={**form, **kwargs.pop("metadata", {})}, **kwargs)


class Block(Record):
    """One reason why the gate refused."""

    code = fields.String(metadata={"example": "short_title"})
    message_tr = fields.String()
    message_en = fields.String()


class GateRefusal(Record):
    """The quality gate refused, and nothing was written."""

    success = fields.Boolean(metadata={"enum": [False]})
    error = fields.String(metadata={"enum": ["quality_gate"]})
    blocks = fields.List(fields.Nested(Block), metadata={"minItems": 1})


class FieldProblem(Record):
    """What is wrong with one field of the body, or with one query parameter."""

    field = fields.String(metadata={"example": "title"})
    message = fields.String()


class Problem(Record):
    """What went wrong."""

    code = fields.Integer(metadata={"description": "Repeats the HTTP status.", "minimum": 400, "maximum": 599})
    message = fields.String()
    errors = fields.List(
        fields.Nested(FieldProblem),
        metadata={
            "optional": True,
            "minItems": 1,
            "description": "With 400 and 422, where single fields are at fault.",
        },
    )


class Error(Record):
    """The error envelope."""

    success = fields.Boolean(metadata={"enum": [False]})
    error = fields.Nested(Problem)
