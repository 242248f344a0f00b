"""Refuses a title that is too short to say what the post is about."""

from collections.abc import Sequence
from typing import Any

from cms_host.api import Candidate, Finding, GateRule, Host, Reader, Setting, Settings, hookimpl

MINIMUM = Setting(
    "gate.short_title.minimum",
    10,
    "Least number of characters in the title of a published post.",
    minimum=0,
    maximum=200,
)


class ShortTitle(GateRule):
    """Refuses a title that is too short to say what the post is about.

    *Anti-pattern*: `News`, `Update`, `Part 2`: nobody can tell such posts apart in a list.

    *Best practice*: name the subject, so that the title makes sense on its own.
    """

    code = "short_title"
    kind = "block"

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    async def check(self, candidate: Candidate, db: Reader) -> Sequence[Finding]:
        measured, required = len(" ".join(candidate.title.split())), self._settings[MINIMUM]
        if measured >= required:
            return []
        return [
            Finding(
                message_tr=f"Başlık {measured} karakter; en az {required} karakter olmalı.",
                message_en=f"The title has {measured} of the {required} characters that are required.",
                measured=measured,
                required=required,
                field="title",
            )
        ]


@hookimpl
def cms_settings() -> Sequence[Setting[Any]]:
    """The least length."""
    return [MINIMUM]


@hookimpl
def cms_gate_rules(host: Host) -> Sequence[GateRule]:
    """The rule."""
    return [ShortTitle(host.settings)]
