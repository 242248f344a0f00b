"""What clients may send about accounts, and what they get."""

from marshmallow import fields

from cms_host.api import (
    Choice,
    FlagField,
    LocalTime,
    Number,
    PageQuery,
    PageRecord,
    Record,
    Role,
    Schema,
    Several,
    Text,
    Whole,
)
from cms_users.identity import EMAIL_FORM, USERNAME_FORM
from cms_users.passwords import LONGEST, SHORTEST

ROLES = [role.label for role in Role]
#: Longest texts that are looked at; what an account may be called is decided in `cms_users.identity`.
LONGEST_TEXT = 1_000
_USERNAME = {
    "description": "2 to 64 of a-z, 0-9, dot, dash and underscore, beginning with a letter or digit.",
    "pattern": f"^{USERNAME_FORM}$",
}
_EMAIL = {"pattern": rf"^\s*{EMAIL_FORM}\s*$", "example": "ada@example.org"}
_NAME = {"description": "Shown beside what the account writes."}
_HEIR = {"description": "The id of the user who gets what this one owns."}


class ListUsers(PageQuery):
    """Query parameters of the list."""

    role = Several(Choice(*ROLES), metadata={"description": "One of the roles, or several parted by commas."})
    active = Choice("true", "false", "1", "0", metadata={"description": "Whether the account may call at all."})
    search = Text(limit=200, metadata={"description": "A part of username, name or address; letters are folded."})


class UserChanges(Schema):
    """Fields of an update: all optional, what is left out stays."""

    username = Text(limit=LONGEST_TEXT, filled=True, metadata=_USERNAME)
    email = Text(limit=LONGEST_TEXT, filled=True, metadata=_EMAIL)
    name = Text(limit=LONGEST_TEXT, filled=True, metadata=_NAME)
    role = Choice(*ROLES)
    active = FlagField(metadata={"description": "Without it the account and all its keys are refused."})
    email_verified = FlagField(metadata={"description": "Becomes false with another address, unless it is sent."})
    password = Text(
        limit=None,
        allow_none=True,
        load_only=True,
        metadata={
            "description": "For signing in to the panel, which is not built yet; null takes it away. Never shown.",
            "format": "password",
            "minLength": SHORTEST,
            "maxLength": LONGEST,
        },
    )


class NewUser(UserChanges):
    """Fields of a new account."""

    username = Text(limit=LONGEST_TEXT, required=True, metadata=_USERNAME)
    email = Text(limit=LONGEST_TEXT, required=True, metadata=_EMAIL)
    name = Text(limit=LONGEST_TEXT, metadata={**_NAME, "default": "the username"})
    role = Choice(*ROLES, metadata={"default": Role.SUBSCRIBER.label})


class DeleteUser(Schema):
    """Who gets what the account owns."""

    reassign_to = Whole(metadata=_HEIR)


class DeleteUserQuery(Schema):
    """The same, for clients that send no body with DELETE."""

    reassign_to = Number(metadata=_HEIR)


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


class DeletedUser(Record):
    """What a deletion answers."""

    success = fields.Boolean()
