"""Warns about content without a link to the site itself."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from cms_host.api import Candidate, Finding, GateRule, Host, Reader, hookimpl


class MissingInternalLinks(GateRule):
    """Warns about content without a link to the site itself.

    *Anti-pattern*: a page from which there is nowhere to go on the site.

    *Best practice*: link to what belongs with it: the category, the longer article, the page that explains a term.
    """

    code = "missing_internal_links"
    kind = "warning"

    def __init__(self, base_url: str) -> None:
        self._site = urlsplit(base_url).hostname

    async def check(self, candidate: Candidate, db: Reader) -> Sequence[Finding]:
        if any(map(self._is_internal, candidate.links)):
            return []
        return [
            Finding(
                message_tr="İçerikte site içi bağlantı yok; en az 1 tane önerilir.",
                message_en="The content has no link to the site itself; at least 1 is recommended.",
                measured=0,
                required=1,
                field="content",
            )
        ]

    def _is_internal(self, link: str) -> bool:
        """Relative, or on the site's own host. A fragment alone leads nowhere else."""
        try:
            parts = urlsplit(link)
        except ValueError:
            return False
        if parts.netloc:
            return parts.scheme in ("", "http", "https") and bool(self._site) and self._site == parts.hostname
        return not parts.scheme and bool(parts.path or parts.query)


@hookimpl
def cms_gate_rules(host: Host) -> Sequence[GateRule]:
    """The rule."""
    return [MissingInternalLinks(host.config.base_url)]
