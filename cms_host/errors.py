"""What can go wrong in a request. A class's docstring is its message; the errors middleware makes the envelope.

Statuses and literal messages are those of the spec's chapters Errors and Authentication.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple


class FieldError(NamedTuple):
    """What is wrong with one field of a body or one query parameter."""

    field: str
    message: str


class ApiError(Exception):
    """Bad request"""

    status: int = 400

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or type(self).__doc__)

    @property
    def message(self) -> str:
        return str(self.args[0])

    def body(self) -> dict[str, Any]:
        """The answer's JSON object."""
        return {"success": False, "error": {"code": self.status, "message": self.message}}


class BadRequest(ApiError):
    """Bad request"""


class Unauthorized(ApiError):
    """Unauthorized"""

    status = 401


class Forbidden(ApiError):
    """Forbidden"""

    status = 403


class InsufficientRole(Forbidden):
    """Insufficient role for this operation"""


class NotYours(Forbidden):
    """You can only modify your own content"""


class NotFound(ApiError):
    """Not found"""

    status = 404


class Conflict(ApiError):
    """Conflict with the current state"""

    status = 409


class Vanished(Conflict):
    """Something that this refers to is gone by now, or something else still refers to it; read it again"""


class TooLarge(ApiError):
    """Too large"""

    status = 413


class UnsupportedMediaType(ApiError):
    """Unsupported media type"""

    status = 415


class Unprocessable(ApiError):
    """Not acceptable"""

    status = 422


class RateLimited(ApiError):
    """Rate limit exceeded"""

    status = 429


class Busy(ApiError):
    """Busy, try again"""

    status = 503


class InternalError(ApiError):
    """Internal server error"""

    status = 500

    def __init__(self, reference: str) -> None:
        """:param reference: what the one line of the log that tells of it is found by."""
        super().__init__(f"Internal server error (reference {reference})")


class FieldErrors(ApiError):
    """Some fields are wrong; names each (contract 2: 400 for missing or mistyped, 422 for unacceptable)."""

    def __init__(self, errors: Sequence[FieldError], status: int = 400) -> None:
        names = ", ".join(dict.fromkeys(error.field for error in errors))
        super().__init__(f"Check these fields: {names}. " + " ".join(f"{e.field}: {e.message}" for e in errors))
        self.errors = tuple(errors)
        self.status = status

    def body(self) -> dict[str, Any]:
        errors = [error._asdict() for error in self.errors]
        return {"success": False, "error": {"code": self.status, "message": self.message, "errors": errors}}


class Refused(ApiError):
    """The quality gate refused"""

    status = 422

    def __init__(self, blocks: Sequence[dict[str, str]]) -> None:
        super().__init__()
        self.blocks = blocks

    def body(self) -> dict[str, Any]:
        """The spec's gate-refusal shape: exactly three keys, and three in each block."""
        return {"success": False, "error": "quality_gate", "blocks": list(self.blocks)}
