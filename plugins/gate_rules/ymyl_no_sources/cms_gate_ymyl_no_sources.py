"""Refuses a post about health, money or safety that names no source."""

from collections.abc import Sequence

from cms_host.api import Candidate, Finding, GateRule, Host, Reader, hookimpl


class YmylNoSources(GateRule):
    """Refuses a post about health, money or safety that names no source.

    *Anti-pattern*: medical or financial advice on nobody's authority but the site's own.

    *Best practice*: list what the statements rest on in `editorial.sources`: studies, laws, official pages.
    """

    code = "ymyl_no_sources"
    kind = "block"

    async def check(self, candidate: Candidate, db: Reader) -> Sequence[Finding]:
        if not candidate.ymyl or any(source.strip() for source in candidate.sources):
            return []
        return [
            Finding(
                message_tr="YMYL olarak işaretlenen yazının kaynağı yok; en az 1 kaynak gerekli.",
                message_en="The post is marked as YMYL and names no source; at least 1 is required.",
                measured=0,
                required=1,
                field="editorial.sources",
            )
        ]


@hookimpl
def cms_gate_rules(host: Host) -> Sequence[GateRule]:
    """The rule."""
    return [YmylNoSources()]
