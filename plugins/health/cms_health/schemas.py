"""What the endpoint answers."""

from marshmallow import fields

from cms_host.api import LocalTime, Record, Role

OK, DEGRADED = "ok", "degraded"
_STATUS = {"enum": [OK, DEGRADED]}


class KeyInUse(Record):
    """The key that the request came with."""

    name = fields.String()
    owner = fields.String()
    role = fields.String(metadata={"enum": [role.label for role in Role]})
    expires_at = LocalTime(allow_none=True)


class CheckResult(Record):
    """How one part of the site is."""

    status = fields.String(metadata=_STATUS)
    detail = fields.String(metadata={"description": "For administrators only.", "optional": True})


class HealthRecord(Record):
    """How the site is."""

    status = fields.String(metadata=_STATUS)
    version = fields.String()
    time = LocalTime()
    key = fields.Nested(KeyInUse)
    checks = fields.Dict(keys=fields.String(), values=fields.Nested(CheckResult))
