"""What clients may ask about accounts, and what they get."""

from marshmallow import fields

from cms_host.api import LocalTime, PageQuery, PageRecord, Record, Role

ROLES = [role.label for role in Role]


class ListUsers(PageQuery):
    """Query parameters of the list."""


class UserRecord(Record):
    """An account."""

    id = fields.Integer()
    username = fields.String()
    name = fields.String()
    email = fields.String()
    role = fields.String(metadata={"enum": ROLES})
    active = fields.Boolean()
    email_verified = fields.Boolean()
    created_at = LocalTime()
    last_login_at = LocalTime(allow_none=True)


class UserPage(PageRecord):
    """A page of accounts."""

    items = fields.List(fields.Nested(UserRecord))
