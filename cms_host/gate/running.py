"""Asking every rule, so that none can do more than its mode allows, nor keep the others from being asked."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, cast

from cms_host.db import Asked, Reader
from cms_host.db.isolated import IsolatedReader
from cms_host.gate.candidate import Candidate
from cms_host.gate.modes import Mode, mode_setting
from cms_host.gate.report import Report, Verdict, verdict_of
from cms_host.gate.rules import AskingRule, Finding, GateRule, PreparingRule, examine
from cms_host.settings import Setting, Settings
from cms_host.time_limit import Overrun, TimeLimit

log = logging.getLogger("cms_host.gate")
#: Seconds that one rule may take (contract 4, Gate rules).
RULE_TIMEOUT = 2.0
_FAILED = "gate rule failed"


@dataclass(frozen=True, slots=True)
class _Unprepared:
    """Stands for what a rule's `prepare` did not give: it failed, or the rule was off."""

    error: BaseException | None = None


@dataclass(slots=True)
class _Findings:
    """What is gathered while the rules are asked, one after the other."""

    blocks: list[Verdict] = field(default_factory=list)
    warnings: list[Verdict] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    shadowed: list[str] = field(default_factory=list)

    def add(self, code: str, mode: Mode, found: Sequence[Verdict]) -> None:
        if mode == "block":
            self.blocks.extend(found)
        elif mode == "warn":
            self.warnings.extend(found)
        elif found:
            self.shadowed.append(code)

    def block(self, failure: Verdict) -> None:
        """A rule that failed refuses, for it might have had a reason to."""
        self.failed.append(failure.code)
        self.blocks.append(failure)

    def report(self) -> Report:
        return Report(tuple(self.blocks), tuple(self.warnings), tuple(self.failed), tuple(self.shadowed))


@dataclass(slots=True)
class Gate:
    """Runs every rule, each inside its own error boundary and time limit, in the order of their codes.

    Fails closed: a rule of mode `block` that raises, is late, or gives anything but findings refuses the publish under
    its own code. A rule of any other mode that does so is only logged.

    :param timeout: seconds that one rule may take in `prepare`, and again in `check`.
    :param clock: seconds that only grow.
    :param settings: where the modes are looked up at each run; without them each rule does what its kind says.
    :raises InvalidRule: one that could never block as it means to.
    """

    rules: Sequence[GateRule]
    timeout: float = RULE_TIMEOUT
    clock: Callable[[], float] = time.monotonic
    settings: Settings | None = None
    _modes: dict[str, Setting[str]] = field(init=False)
    _preparing: dict[str, PreparingRule] = field(init=False)
    _asking: dict[str, AskingRule] = field(init=False)

    def __post_init__(self) -> None:
        for rule in self.rules:
            examine(rule)
        self.rules = tuple(sorted(self.rules, key=lambda rule: rule.code))
        self._modes = {rule.code: mode_setting(rule) for rule in self.rules}
        self._preparing = {rule.code: rule for rule in self.rules if isinstance(rule, PreparingRule)}
        self._asking = {rule.code: rule for rule in self.rules if isinstance(rule, AskingRule)}

    @property
    def prepares(self) -> bool:
        """Whether any rule has something to make ready."""
        return any(self.mode(code) != "off" for code in self._preparing)

    def mode(self, code: str) -> Mode:
        """What the rule with this code may do now."""
        setting = self._modes[code]
        return cast("Mode", setting.default if self.settings is None else self.settings[setting])

    async def prepare(self, candidate: Candidate) -> dict[str, Any]:
        """What the rules want to have ready before the transaction, by their codes; only `run` can read it."""
        prepared: dict[str, Any] = {}
        if self._preparing:
            with TimeLimit(self.timeout, self.clock) as limit:
                for code, rule in self._preparing.items():
                    if self.mode(code) == "off":
                        prepared[code] = _Unprepared()
                        continue
                    try:
                        prepared[code] = await limit.hold(_prepare(rule, candidate))
                    except (Exception, SystemExit) as error:
                        log.exception(_FAILED, extra=_told_to_the_log(code, candidate))
                        prepared[code] = _Unprepared(error)
        return prepared

    async def run(self, candidate: Candidate, db: Reader, prepared: Mapping[str, Any] | None = None) -> Report:
        """Every finding of every rule that is not off.

        :param prepared: what `prepare` gave for this candidate; without it, the rules prepare now.
        """
        if prepared is None:
            prepared = await self.prepare(candidate)
        findings = _Findings()
        # What one rule does to the transaction must reach neither the other rules nor the writes that follow.
        reader = IsolatedReader(db)
        with TimeLimit(self.timeout, self.clock) as limit:
            # What is late or fails here is read once more by the rule that it is for, which then answers for it.
            with suppress(Overrun):
                await limit.hold(reader.read_ahead(self._asked(candidate, prepared)))
            for rule in self.rules:
                mode = self.mode(rule.code)
                if mode == "off":
                    continue
                found = await self._outcome(limit, rule, candidate, reader, prepared)
                if not isinstance(found, BaseException):
                    findings.add(rule.code, mode, found)
                elif mode == "block":
                    findings.block(Verdict(rule.code, self._told(found)))
        return findings.report()

    def _asked(self, candidate: Candidate, prepared: Mapping[str, Any]) -> list[Asked]:
        """What the rules are going to read, as far as they can tell."""
        asked: list[Asked] = []
        for code, rule in self._asking.items():
            ready = prepared.get(code)
            if self.mode(code) != "off" and not isinstance(ready, _Unprepared):
                try:
                    asked += rule.asks(replace(candidate, prepared=ready))
                except Exception:
                    log.exception(_FAILED, extra=_told_to_the_log(code, candidate))
        return asked

    async def _outcome(
        self, limit: TimeLimit, rule: GateRule, candidate: Candidate, db: Reader, prepared: Mapping[str, Any]
    ) -> list[Verdict] | BaseException:
        """What the rule found, or how it failed."""
        ready = prepared.get(rule.code)
        if isinstance(ready, _Unprepared) and ready.error is not None:
            return ready.error
        try:
            return await limit.hold(self._ask(rule, candidate, db, prepared))
        except (Exception, SystemExit) as error:
            log.exception(_FAILED, extra=_told_to_the_log(rule.code, candidate))
            return error

    async def _ask(
        self, rule: GateRule, candidate: Candidate, db: Reader, prepared: Mapping[str, Any]
    ) -> list[Verdict]:
        if rule.code in self._preparing:
            ready = prepared[rule.code]
            if isinstance(ready, _Unprepared):
                # The rule was off when the others prepared, and is on by now.
                ready = await self._preparing[rule.code].prepare(candidate)
            candidate = replace(candidate, prepared=ready)
        return [verdict_of(rule.code, each) for each in await rule.check(candidate, db)]

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


def _told_to_the_log(code: str, candidate: Candidate) -> dict[str, Any]:
    """What a failure's line tells beside the traceback; the log itself adds the request's id."""
    return {"rule": code, "post_id": candidate.post_id}
