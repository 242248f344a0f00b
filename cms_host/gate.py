"""The quality gate: every publish passes all rules, or is refused with every reason at once (spec, Quality gate)."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, runtime_checkable

from cms_host.db import Reader

log = logging.getLogger("cms_host.gate")
Kind = Literal["block", "warning"]
#: Seconds that one rule may take (contract 4, Gate rules).
RULE_TIMEOUT = 2.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A post as it would be published, taken apart once so that no rule needs a parser."""

    post_id: int | None
    type: str
    title: str
    #: The title with case, accents and width taken away (contract 3, folding).
    folded_title: str
    #: Sanitised HTML.
    html: str
    #: What a reader sees of it: no tags, white space collapsed.
    text: str
    #: (level, text) of every heading.
    headings: tuple[tuple[int, str], ...]
    links: tuple[str, ...]
    #: Addresses in `src` and `srcset`.
    images: tuple[str, ...]
    cover: str
    ymyl: bool
    sources: tuple[str, ...]
    #: Microseconds since the epoch, or None.
    reviewed_at: int | None
    reviewed_hash: str | None
    content_hash: str
    #: What asked for the publish: `create`, `update`, `publish`, `schedule`, ...
    trigger: str
    #: What the rule's own `prepare` returned.
    prepared: Any = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a rule found, told in both languages with what was measured and what is required."""

    message_tr: str
    message_en: str
    measured: Any = None
    required: Any = None
    related_ids: tuple[int, ...] = ()
    field: str | None = None


class GateRule(Protocol):
    """A rule of the gate. Its docstring has an *Anti-pattern* and a *Best practice* paragraph."""

    #: What refusals and warnings carry; third parties namespace theirs (`acme.house_style`).
    code: str
    #: A `block` refuses the publish; a `warning` only tells.
    kind: Kind

    async def check(self, candidate: Candidate, db: Reader) -> Sequence[Finding]:
        """All that is wrong with the candidate; empty when nothing is. `db` is inside the publishing transaction."""


@runtime_checkable
class PreparingRule(Protocol):
    """A rule with work to do before the publishing transaction begins."""

    async def prepare(self, candidate: Candidate) -> Any:
        """Reaches `check` as `candidate.prepared`."""


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

    @property
    def passes(self) -> bool:
        return not self.blocks


@dataclass(slots=True)
class Gate:
    """Runs every rule, each inside its own error boundary and time limit, in the order of their codes."""

    rules: Sequence[GateRule]
    timeout: float = RULE_TIMEOUT

    def __post_init__(self) -> None:
        self.rules = sorted(self.rules, key=lambda rule: rule.code)

    async def prepare(self, candidate: Candidate) -> dict[str, Any]:
        """What the rules want to have ready before the transaction: a value, or the exception that kept it away."""
        prepared: dict[str, Any] = {}
        for rule in self.rules:
            if isinstance(rule, PreparingRule):
                try:
                    async with asyncio.timeout(self.timeout):
                        prepared[rule.code] = await rule.prepare(candidate)
                except Exception as error:  # noqa: BLE001 - a rule's failure is the gate's business, in `run`.
                    prepared[rule.code] = error
        return prepared

    async def run(self, candidate: Candidate, db: Reader, prepared: dict[str, Any] | None = None) -> Report:
        """Every finding of every rule. A blocking rule that fails blocks; a warning rule that fails is only logged."""
        blocks: list[Verdict] = []
        warnings: list[Verdict] = []
        for rule in self.rules:
            seen = candidate
            if prepared and rule.code in prepared:
                seen = replace(candidate, prepared=prepared[rule.code])
            found = await self._ask(rule, seen, db)
            (blocks if rule.kind == "block" else warnings).extend(Verdict(rule.code, each) for each in found)
        return Report(tuple(blocks), tuple(warnings))

    async def _ask(self, rule: GateRule, candidate: Candidate, db: Reader) -> Sequence[Finding]:
        try:
            if isinstance(candidate.prepared, Exception):
                raise candidate.prepared
            async with asyncio.timeout(self.timeout):
                return await rule.check(candidate, db)
        except Exception:
            log.exception("gate rule failed", extra={"rule": rule.code, "post_id": candidate.post_id})
            return [CRASHED] if rule.kind == "block" else []


CRASHED = Finding(
    message_tr="Kural bir hata yüzünden sonuç veremedi; yayınlama güvenlik için durduruldu.",
    message_en="The rule failed before it could decide, so the publish is refused to be on the safe side.",
)
