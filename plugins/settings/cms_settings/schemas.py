"""What clients may send about settings, and what they get."""

from marshmallow import INCLUDE, fields

from cms_host.api import PageQuery, PageRecord, Record, Schema

TYPES = ("string", "integer", "number", "boolean", "array")


class ListSettings(PageQuery):
    """Query parameters of the list."""


class SettingValue(Schema):
    """The new value of one setting, of the setting's own type."""

    value = fields.Raw(required=True, allow_none=True)


class SettingChanges(Schema):
    """New values by key: an object whose fields are the keys of settings."""

    class Meta:
        unknown = INCLUDE


class SettingRecord(Record):
    """A setting."""

    key = fields.String()
    value = fields.Raw()
    default = fields.Raw()
    type = fields.String(metadata={"enum": list(TYPES)})
    description = fields.String()
    plugin = fields.String()


class SettingPage(PageRecord):
    """A page of settings."""

    items = fields.List(fields.Nested(SettingRecord))
