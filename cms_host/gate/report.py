"""What came of asking the rules."""

from dataclasses import dataclass
from typing import Any

import orjson

from cms_host.gate.rules import Finding


@dataclass(frozen=True, slots=True)
class Verdict:
    """One finding under its rule's code."""

    code: str
    finding: Finding

    def shown(self) -> dict[str, str]:
        """The spec's block object: exactly these three keys."""
        return {"code": self.code, "message_tr": self.finding.message_tr, "message_en": self.finding.message_en}

    def detailed(self) -> dict[str, Any]:
        """The block object with `detail`, for reports and warnings (contract 10)."""
        finding = self.finding
        detail = {
            "measured": finding.measured,
            "required": finding.required,
            "related_ids": list(finding.related_ids),
            "field": finding.field,
        }
        return {**self.shown(), "detail": detail}


@dataclass(frozen=True, slots=True)
class Report:
    """What all rules said of one candidate."""

    blocks: tuple[Verdict, ...] = ()
    warnings: tuple[Verdict, ...] = ()
    #: Codes of blocking rules that failed instead of deciding; the same candidate may pass another time.
    failed: tuple[str, ...] = ()
    #: Codes of rules that found something in mode `shadow`: to be counted, and told to nobody (contract 10).
    shadowed: tuple[str, ...] = ()

    @property
    def passes(self) -> bool:
        return not self.blocks


def verdict_of(code: str, finding: Any) -> Verdict:
    """What a rule gave, under the rule's code.

    :raises TypeError: it is none, or holds what no answer can tell; better here than when the answer is written.
    """
    if not isinstance(finding, Finding):
        raise TypeError(f"the rule {code} gave {finding!r}, which is no Finding")
    verdict = Verdict(code, finding)
    if not all(isinstance(each, str) and each for each in verdict.shown().values()):
        raise TypeError(f"the rule {code} gave {finding!r}, which has no message in both languages")
    orjson.dumps(verdict.detailed())
    return verdict
