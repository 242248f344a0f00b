"""Warns about content without a second-level heading."""

from collections.abc import Sequence

from cms_host.api import Candidate, Finding, GateRule, Host, Reader, hookimpl


class MissingH2(GateRule):
    """Warns about content without a second-level heading.

    *Anti-pattern*: a wall of text that nobody can skim, or an H2 with nothing in it.

    *Best practice*: give every main thought an H2 of its own.
    """

    code = "missing_h2"
    kind = "warning"

    async def check(self, candidate: Candidate, db: Reader) -> Sequence[Finding]:
        if any(level == 2 and text.strip() for level, text in candidate.headings):
            return []
        return [
            Finding(
                message_tr="İçerikte H2 başlığı yok; en az 1 tane önerilir.",
                message_en="The content has no H2 heading; at least 1 is recommended.",
                measured=0,
                required=1,
                field="content",
            )
        ]


@hookimpl
def cms_gate_rules(host: Host) -> Sequence[GateRule]:
    """The rule."""
    return [MissingH2()]
