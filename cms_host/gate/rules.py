"""What a rule is, and what it finds."""

import re
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, get_args, runtime_checkable

from cms_host.db import Asked, Reader
from cms_host.gate.candidate import Candidate

Kind = Literal["block", "warning"]
#: Words of lower-case letters, parted by underscores; dots part the name of a third party from the rule's.
CODE = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*", re.ASCII)


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


@runtime_checkable
class AskingRule(Protocol):
    """A rule that can tell what `check` is going to read, so that it is read together with what other rules read."""

    def asks(self, candidate: Candidate) -> Sequence[Asked]:
        """Statements with their values: those of them that `check` then runs are answered without another trip."""


class InvalidRule(ValueError):
    """An object that the gate cannot take as a rule; the message says why."""


def examine(rule: GateRule) -> None:
    """:raises InvalidRule: the rule could never block as it means to."""
    if not CODE.fullmatch(rule.code):
        raise InvalidRule(f"gate rule {rule.code!r}: a code is lower case, as house_style or acme.house_style")
    if rule.kind not in get_args(Kind):
        raise InvalidRule(f"gate rule {rule.code}: its kind is {rule.kind!r}, and must be one of {get_args(Kind)}")
    if not callable(getattr(rule, "check", None)):
        raise InvalidRule(f"gate rule {rule.code} has no check(candidate, db)")
