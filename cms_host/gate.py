"""The quality gate: every publish passes all rules, or is refused with every reason at once (spec, Quality gate)."""

import logging
import re
import time
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, get_args, runtime_checkable

import orjson

from cms_host.db import Reader
from cms_host.db.isolated import IsolatedReader
from cms_host.time_limit import Overrun, TimeLimit

log = logging.getLogger("cms_host.gate")
Kind = Literal["block", "warning"]
#: Seconds that one rule may take (contract 4, Gate rules).
RULE_TIMEOUT = 2.0
#: Words of lower-case letters, parted by underscores; dots part the name of a third party from the rule's.
CODE = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*", re.ASCII)


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
    #: When a scheduled post is due, in microseconds since the epoch: it is compared with published posts and with those
    #: due before it. None for any other post, which is compared with every scheduled one.
    due_at: int | None = None
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

    @abstractmethod
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
    #: Codes of blocking rules that failed instead of deciding; the same candidate may pass another time.
    failed: tuple[str, ...] = ()
    #: Codes of rules that found something in mode `shadow`: to be counted, and told to nobody (contract 10).
    shadowed: tuple[str, ...] = ()

    @property
    def passes(self) -> bool:
        return not self.blocks


class InvalidRule(ValueError):
    """An object that the gate cannot take as a rule; the message says why."""


@dataclass(frozen=True, slots=True)
class _Unprepared:
    """Stands for what a rule's `prepare` did not give."""

    error: BaseException


@dataclass(slots=True)
class Gate:
    """Runs every rule, each inside its own error boundary and time limit, in the order of their codes.

    Fails closed: a blocking rule that raises, is late, or gives anything but findings refuses the publish under its
    own code. A warning rule that does so is only logged.

    :param timeout: seconds that one rule may take in `prepare`, and again in `check`.
    :param clock: seconds that only grow.
    :raises InvalidRule: one that could never block as it means to.
    """

    rules: Sequence[GateRule]
    timeout: float = RULE_TIMEOUT
    clock: Callable[[], float] = time.monotonic
    _preparing: dict[str, PreparingRule] = field(init=False)

    def __post_init__(self) -> None:
        for rule in self.rules:
            _examine(rule)
        self.rules = tuple(sorted(self.rules, key=lambda rule: rule.code))
        self._preparing = {rule.code: rule for rule in self.rules if isinstance(rule, PreparingRule)}

    @property
    def prepares(self) -> bool:
        """Whether any rule has something to make ready."""
        return bool(self._preparing)

    async def prepare(self, candidate: Candidate) -> dict[str, Any]:
        """What the rules want to have ready before the transaction, by their codes; only `run` can read it."""
        prepared: dict[str, Any] = {}
        if self._preparing:
            with TimeLimit(self.timeout, self.clock) as limit:
                for code, rule in self._preparing.items():
                    try:
                        prepared[code] = await limit.hold(_prepare(rule, candidate))
                    except (Exception, SystemExit) as error:  # noqa: BLE001 - the rule's failure, told by `run`.
                        prepared[code] = _Unprepared(error)
        return prepared

    async def run(self, candidate: Candidate, db: Reader, prepared: Mapping[str, Any] | None = None) -> Report:
        """Every finding of every rule.

        :param prepared: what `prepare` gave for this candidate; without it, the rules prepare now.
        """
        if prepared is None:
            prepared = await self.prepare(candidate)
        blocks: list[Verdict] = []
        warnings: list[Verdict] = []
        failed: list[str] = []
        # What one rule does to the transaction must reach neither the other rules nor the writes that follow.
        reader = IsolatedReader(db)
        with TimeLimit(self.timeout, self.clock) as limit:
            for rule in self.rules:
                try:
                    found = await limit.hold(self._ask(rule, candidate, reader, prepared))
                except (Exception, SystemExit) as error:
                    log.exception("gate rule failed", extra={"rule": rule.code, "post_id": candidate.post_id})
                    failed += [rule.code] if rule.kind == "block" else []
                    found = [Verdict(rule.code, self._told(error))] if rule.kind == "block" else []
                (blocks if rule.kind == "block" else warnings).extend(found)
        return Report(tuple(blocks), tuple(warnings), tuple(failed))

    async def _ask(
        self, rule: GateRule, candidate: Candidate, db: Reader, prepared: Mapping[str, Any]
    ) -> list[Verdict]:
        if rule.code in self._preparing:
            ready = prepared[rule.code]
            if isinstance(ready, _Unprepared):
                raise ready.error
            candidate = replace(candidate, prepared=ready)
        return [_verdict(rule.code, each) for each in await rule.check(candidate, db)]

    def _told(self, error: BaseException) -> Finding:
        seconds = f"{self.timeout:g}"
        if isinstance(error, Overrun):
            return Finding(
                message_tr=f"Kural {seconds} saniye içinde sonuç veremedi; güvenlik için yayın durduruldu.",
                message_en=f"The rule did not decide within {seconds} seconds; to be safe, nothing is published.",
            )
        return Finding(
            message_tr="Kural bir hata yüzünden sonuç veremedi; güvenlik için yayın durduruldu.",
            message_en="The rule failed before it could decide; to be safe, nothing is published.",
        )


async def _prepare(rule: PreparingRule, candidate: Candidate) -> Any:
    # Called inside of a coroutine, so that what is no coroutine function fails within the boundary.
    return await rule.prepare(candidate)


def _verdict(code: str, finding: Any) -> Verdict:
    """The finding under its code.

    :raises TypeError: it is none, or holds what no answer can tell; better here than when the answer is written.
    """
    if not isinstance(finding, Finding):
        raise TypeError(f"the rule {code} gave {finding!r}, which is no Finding")
    verdict = Verdict(code, finding)
    if not all(isinstance(each, str) and each for each in verdict.shown().values()):
        raise TypeError(f"the rule {code} gave {finding!r}, which has no message in both languages")
    orjson.dumps(verdict.detailed())
    return verdict


def _examine(rule: GateRule) -> None:
    if not CODE.fullmatch(rule.code):
        raise InvalidRule(f"gate rule {rule.code!r}: a code is lower case, as house_style or acme.house_style")
    if rule.kind not in get_args(Kind):
        raise InvalidRule(f"gate rule {rule.code}: its kind is {rule.kind!r}, and must be one of {get_args(Kind)}")
    if not callable(getattr(rule, "check", None)):
        raise InvalidRule(f"gate rule {rule.code} has no check(candidate, db)")
