"""Warns about content without a second-level heading."""

from collections.abc import Sequence

from cms_host.api import Candidate, Finding, GateRule, Host, Reader, hookimpl


class MissingH2:
    """Warns about content without a second-level heading.

    *Anti-pattern*: a wall of text that nobody can skim.

    *Best practice*: give every main thought an H2 of its own.
    """

    code = "missing_h2"
    kind = "warning"

    async def check(self, candidate: Candidate, db: Reader) -> Sequence[Finding]:
        if any(level == 2 for level, _ in candidate.headings):
            return []
        return [
            Finding(
                message_tr="İçerikte H2 başlığı yok; en az 1 tane önerilir.",
                message_en="The content has 0 H2 headings; at least 1 is recommended.",
                measured=0,
                required=1,
                field="content",
            )
        ]


@hookimpl
def cms_gate_rules(host: Host) -> Sequence[GateRule]:
    """The rule."""
    return [MissingH2()]
