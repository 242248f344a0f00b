"""What is known of whoever wrote a comment."""

import re
from ipaddress import ip_address

from cms_host.api import FieldError, FieldErrors, plain_text

#: Enough to refuse what no mail server would take, and what could be mistaken for a header or several addresses.
_PART = r"""[^@\s<>()\[\],;:\\"\x00-\x1f\x7f-\x9f]"""
ADDRESS_FORM = rf"{_PART}{{1,64}}@{_PART}{{1,189}}"
_ADDRESS = re.compile(ADDRESS_FORM)


def plain_name(sent: str) -> str:
    """A name as it is kept.

    :raises FieldErrors: 400, nothing is left of it without its tags.
    """
    name = plain_text(sent).strip()
    if not name:
        raise FieldErrors([FieldError("author_name", "Must not be empty once its tags are removed.")])
    return name


def valid_address(sent: str) -> str:
    """An e-mail address as it is kept, or nothing.

    :raises FieldErrors: 422, it is none.
    """
    address = sent.strip()
    if address and not _ADDRESS.fullmatch(address):
        raise FieldErrors([FieldError("author_email", "Must be an e-mail address.")], 422)
    return address


def valid_ip(sent: str) -> str:
    """An IP address in its normal form, or nothing.

    :raises FieldErrors: 422, it is none.
    """
    try:
        return str(ip_address(sent.strip())) if sent.strip() else ""
    except ValueError as error:
        raise FieldErrors([FieldError("author_ip", "Must be an IP address.")], 422) from error
