"""Refuses content that is too short to be worth a reader's visit."""

from collections.abc import Sequence
from typing import Any

from cms_host.api import Candidate, Finding, GateRule, Host, Reader, Setting, Settings, hookimpl

MINIMUM = Setting(
    "gate.short_content.minimum",
    1500,
    "Least number of visible characters in the content of a published post.",
    minimum=0,
    maximum=100_000,
)


class ShortContent(GateRule):
    """Refuses content that is too short to be worth a reader's visit.

    *Anti-pattern*: an article that is a headline and two sentences; readers leave, and search engines call it thin.

    *Best practice*: say what the title promises in full, or keep it as a draft until there is enough to say.
    """

    code = "short_content"
    kind = "block"

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    async def check(self, candidate: Candidate, db: Reader) -> Sequence[Finding]:
        measured, required = len(candidate.text), self._settings[MINIMUM]
        if measured >= required:
            return []
        return [
            Finding(
                message_tr=f"İçeriğin görünen metni {measured} karakter; en az {required} karakter olmalı.",
                message_en=f"The visible text has {measured} of the {required} characters that are required.",
                measured=measured,
                required=required,
                field="content",
            )
        ]


@hookimpl
def cms_settings() -> Sequence[Setting[Any]]:
    """The least length."""
    return [MINIMUM]


@hookimpl
def cms_gate_rules(host: Host) -> Sequence[GateRule]:
    """The rule."""
    return [ShortContent(host.settings)]
