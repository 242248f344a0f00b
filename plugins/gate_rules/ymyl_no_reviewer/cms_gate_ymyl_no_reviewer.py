"""Refuses a post about health, money or safety that no editor has reviewed as it stands."""

from collections.abc import Sequence

from cms_host.api import Candidate, Finding, GateRule, Host, Reader, hookimpl

NEVER = Finding(
    message_tr="YMYL yazısı hiç incelenmemiş; yayından önce bir editör tarafından incelenmeli.",
    message_en="This YMYL post was never reviewed; an editor has to review it before it is published.",
    measured="never reviewed",
    required="reviewed as it stands",
    field="reviewed",
)
OUTDATED = Finding(
    message_tr="YMYL yazısı son incelemeden sonra değişmiş; şimdiki hâli bir editör tarafından incelenmeli.",
    message_en="This YMYL post has changed since its review; an editor has to review it as it stands now.",
    measured="changed since its review",
    required="reviewed as it stands",
    field="reviewed",
)


class YmylNoReviewer(GateRule):
    """Refuses a post about health, money or safety that no editor has reviewed as it stands.

    *Anti-pattern*: a review that is older than the last change: the reviewer vouched for another text.

    *Best practice*: have an editor review the final wording, and review it again after every change.
    """

    code = "ymyl_no_reviewer"
    kind = "block"

    async def check(self, candidate: Candidate, db: Reader) -> Sequence[Finding]:
        if not candidate.ymyl:
            return []
        if candidate.reviewed_at is None:
            return [NEVER]
        return [] if candidate.reviewed_hash == candidate.content_hash else [OUTDATED]


@hookimpl
def cms_gate_rules(host: Host) -> Sequence[GateRule]:
    """The rule."""
    return [YmylNoReviewer()]
