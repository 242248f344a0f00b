"""Refuses a post about health, money or safety that no editor has reviewed as it stands."""

from collections.abc import Sequence

from cms_host.api import Candidate, Finding, GateRule, Host, Reader, hookimpl


class YmylNoReviewer:
    """Refuses a post about health, money or safety that no editor has reviewed as it stands.

    *Anti-pattern*: a review that is older than the last change: the reviewer vouched for another text.

    *Best practice*: have an editor review the final wording, and review it again after every change.
    """

    code = "ymyl_no_reviewer"
    kind = "block"

    async def check(self, candidate: Candidate, db: Reader) -> Sequence[Finding]:
        if not candidate.ymyl or candidate.reviewed_hash == candidate.content_hash:
            return []
        return [
            Finding(
                message_tr="YMYL yazısının bu hâli incelenmemiş; bir editör şimdiki içeriği incelemeli.",
                message_en="This YMYL post is not reviewed as it stands; an editor has to review its present content.",
                measured="reviewed before its last change" if candidate.reviewed_at is not None else "never reviewed",
                required="reviewed as it stands",
                field="reviewed",
            )
        ]


@hookimpl
def cms_gate_rules(host: Host) -> Sequence[GateRule]:
    """The rule."""
    return [YmylNoReviewer()]
