"""Warns about content without a link to the site itself."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from cms_host.api import Candidate, Finding, GateRule, Host, Reader, hookimpl


def _is_internal(link: str, site: str) -> bool:
    """A relative address, or one on the site's own host; a fragment of the same page is no link to another."""
    try:
        parts = urlsplit(link)
    except ValueError:
        return False
    if parts.scheme not in ("", "http", "https"):
        return False
    return parts.netloc == site if parts.netloc else bool(parts.path or parts.query)


class MissingInternalLinks:
    """Warns about content without a link to the site itself.

    *Anti-pattern*: a page from which there is nowhere to go on the site.

    *Best practice*: link to what belongs with it: the category, the longer article, the page that explains a term.
    """

    code = "missing_internal_links"
    kind = "warning"

    def __init__(self, host: Host) -> None:
        self._host = host

    async def check(self, candidate: Candidate, db: Reader) -> Sequence[Finding]:
        if any(_is_internal(link, urlsplit(self._host.config.base_url).netloc) for link in candidate.links):
            return []
        return [
            Finding(
                message_tr="İçerikte siteye verilen bağlantı yok; en az 1 tane önerilir.",
                message_en="The content has 0 links to the site itself; at least 1 is recommended.",
                measured=0,
                required=1,
                field="content",
            )
        ]


@hookimpl
def cms_gate_rules(host: Host) -> Sequence[GateRule]:
    """The rule."""
    return [MissingInternalLinks(host)]
