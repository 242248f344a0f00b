"""How much a rule may do on this site, whatever it was made to be (contract 10, Rule modes)."""

from typing import Literal, get_args

from cms_host.gate.rules import GateRule
from cms_host.settings import Setting

#: `block` refuses the publish, `warn` only tells, `shadow` is counted and shown to nobody, `off` is not run at all.
Mode = Literal["block", "warn", "shadow", "off"]
MODES: tuple[Mode, ...] = get_args(Mode)


def mode_setting(rule: GateRule) -> Setting[str]:
    """The setting that holds the rule's mode, `gate.<code>.mode`; at first it is the rule's own kind.

    A rule of kind `warning` is never made to block.
    """
    blocks = rule.kind == "block"
    return Setting(
        f"gate.{rule.code}.mode",
        "block" if blocks else "warn",
        f"What {rule.code} does when it finds something.",
        choices=MODES if blocks else MODES[1:],
    )
