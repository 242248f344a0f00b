"""Gate rules that do what their test tells them."""

import asyncio
import sys
from collections.abc import Sequence
from contextlib import suppress
from decimal import Decimal
from typing import Any

from cms_host.gate import Candidate, Finding, Gate, Report
from cms_host.testing import make_candidate

#: Short, and yet far longer than any of the rules here takes that does not hang.
SHORT = 0.05


class NoDatabase:
    """What rules are given that ask for nothing."""

    dialect = "none"


class Rule:
    """A rule that behaves as it is told: gives its findings, or does whatever `act` does."""

    def __init__(self, code: str, *messages: str, kind: str = "block", act: Any = None) -> None:
        self.code = code
        self.kind = kind
        self._found = [Finding(f"tr {each}", f"en {each}") for each in messages]
        self._act = act
        self.seen: list[Candidate] = []

    async def check(self, candidate: Candidate, db: Any) -> Any:
        self.seen.append(candidate)
        return self._found if self._act is None else await self._act()


class Preparing(Rule):
    """A rule that prepares what `ready` gives."""

    def __init__(self, code: str, ready: Any, kind: str = "block") -> None:
        super().__init__(code, kind=kind)
        self._ready = ready

    async def prepare(self, candidate: Candidate) -> Any:
        return await self._ready()


async def run(*rules: Any, limit: float = SHORT, **options: Any) -> Report:
    """What a gate with these rules says of an article that nothing is wrong with; fails where the gate hangs."""
    async with asyncio.timeout(10):
        return await Gate(rules, limit, **options).run(make_candidate(), NoDatabase())


def codes(verdicts: Sequence[Any]) -> list[str]:
    return [verdict.code for verdict in verdicts]


async def hang() -> None:
    await asyncio.Event().wait()


async def fail() -> None:
    raise ZeroDivisionError("the rule's own mistake")


async def exit_the_process() -> None:
    sys.exit("the rule thought that it was a script")


async def time_out_inside() -> None:
    raise TimeoutError


async def cancel_itself() -> None:
    raise asyncio.CancelledError


async def hang_and_say_nothing_is_wrong() -> list[Finding]:
    with suppress(asyncio.CancelledError):
        await hang()
    return []


async def hang_and_fail() -> None:
    try:
        await hang()
    except asyncio.CancelledError:
        raise ValueError("broken off") from None


def giving(value: Any) -> Any:
    async def give() -> Any:
        return value

    return give


FAILURES = {
    "raises": fail,
    "exits_the_process": exit_the_process,
    "times_out_inside": time_out_inside,
    "cancels_itself": cancel_itself,
    "gives_none": giving(None),
    "gives_text": giving(["too short"]),
    "gives_a_message_in_one_language": giving([Finding("", "Too short.")]),
    "gives_a_message_that_is_no_text": giving([Finding(1, 2)]),  # type: ignore[arg-type] # wrong on purpose
    "gives_what_json_cannot_tell": giving([Finding("kısa", "short", measured=Decimal(1))]),
    "gives_what_utf_8_cannot_tell": giving([Finding("kısa", "short \ud800")]),
}
OVERRUNS = {
    "hangs": hang,
    "ignores_that_it_is_stopped": hang_and_say_nothing_is_wrong,
    "fails_when_it_is_stopped": hang_and_fail,
}
