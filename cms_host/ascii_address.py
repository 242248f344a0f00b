"""Addresses as those who take no other characters want them: in the sitemap, and wherever two are compared."""

from urllib.parse import quote

#: Characters that may stand in an address as they are (RFC 3986), "%" among them: what is encoded already stays so.
_AS_THEY_ARE = "%:/?#[]@!$&'()*+,;=~"


def ascii_address(address: str, besides: str = "") -> str:
    """The address in characters that addresses are made of; any other is percent-encoded.

    :param besides: characters that stay as they are as well.
    """
    return quote(address, safe=_AS_THEY_ARE + besides)
