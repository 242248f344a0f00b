"""What accounts and keys may be called."""

import re
from collections.abc import Mapping
from unicodedata import normalize

from cms_host.api import FieldError, FieldErrors, plain_text

#: Lower case only, so that no two names differ in case alone; they fit into addresses and file names as they are.
USERNAME_FORM = "[a-z0-9][a-z0-9._-]{1,63}"
_USERNAME = re.compile(USERNAME_FORM)
#: Enough to refuse what no mail server would take, and what could be mistaken for a header or several addresses.
_PART = r"""[^@\s<>()\[\],;:\\"\x00-\x1f\x7f-\x9f]"""
EMAIL_FORM = rf"{_PART}{{1,64}}@{_PART}{{1,189}}"
_EMAIL = re.compile(rf"(?!.*[\ud800-\udfff]){EMAIL_FORM}")
#: No controls, and no halves of surrogate pairs, which are what undecodable arguments of a command become.
_NAME = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]{1,200}")

_RULES = {
    "username": (
        _USERNAME,
        "Must be 2 to 64 characters of a-z, 0-9, dot, dash and underscore, beginning with a letter or digit.",
    ),
    "email": (_EMAIL, "Must be an e-mail address."),
    "name": (_NAME, "Must be 1 to 200 characters on one line."),
}


def plain_name(text: str) -> str:
    """A name as it is kept: plain text without spaces around it."""
    return plain_text(text).strip()


def same_address(text: str) -> str:
    """An e-mail address as it is kept and compared: no two accounts' addresses differ in case or width alone."""
    return normalize("NFKC", normalize("NFKC", text).lower()).strip()


def check(**fields: str) -> None:
    """Look at values of `username`, `email` and `name`.

    :raises FieldErrors: some can't be; names each.
    """
    if found := faults(fields):
        raise FieldErrors(found, 422)


def faults(fields: Mapping[str, str]) -> list[FieldError]:
    """What is wrong with values of `username`, `email` and `name`."""
    return [FieldError(field, _RULES[field][1]) for field, value in fields.items() if not fits(field, value)]


def fits(field: str, value: str) -> bool:
    """Whether a `username`, an `email` or a `name` can be this."""
    return _RULES[field][0].fullmatch(value) is not None
