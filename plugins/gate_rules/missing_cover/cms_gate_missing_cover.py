"""Warns about a post without a cover image."""

from collections.abc import Sequence

from cms_host.api import Candidate, Finding, GateRule, Host, Reader, hookimpl


class MissingCover(GateRule):
    """Warns about a post without a cover image.

    *Anti-pattern*: a card without a picture in every list and on every social network.

    *Best practice*: set `featured_image` to a picture that shows the subject.
    """

    code = "missing_cover"
    kind = "warning"

    async def check(self, candidate: Candidate, db: Reader) -> Sequence[Finding]:
        if candidate.cover.strip():
            return []
        return [
            Finding(
                message_tr="Kapak görseli yok; 1 görsel eklenmesi önerilir.",
                message_en="There is no cover image; 1 is recommended.",
                measured=0,
                required=1,
                field="featured_image",
            )
        ]


@hookimpl
def cms_gate_rules(host: Host) -> Sequence[GateRule]:
    """The rule."""
    return [MissingCover()]
