"""The quality gate: every publish passes all rules, or is refused with every reason at once (spec, Quality gate)."""

from cms_host.gate.candidate import Candidate
from cms_host.gate.modes import Mode, mode_setting
from cms_host.gate.report import Report, Verdict
from cms_host.gate.rules import AskingRule, Finding, GateRule, InvalidRule, PreparingRule
from cms_host.gate.running import RULE_TIMEOUT, Gate

__all__ = [
    "RULE_TIMEOUT", "AskingRule", "Candidate", "Finding", "Gate", "GateRule", "InvalidRule", "Mode", "PreparingRule",
    "Report", "Verdict", "mode_setting",
]  # fmt: skip
