"""Writes the pages of docs/ that are made from the code.

python -m docs.generate              all of them
python -m docs.generate gate-rules   one of them
"""

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from cms_host.api import GateRule, Host, Setting
from cms_host.app import make_host
from cms_host.config import Config
from docs.coverage import coverage
from docs.event_kinds import events

DOCS = Path(__file__).resolve().parent
OURS = DOCS.parent / "plugins"

GATE_RULES = """\
# Gate rules

<!-- Made by `python -m docs.generate gate-rules` from the rules themselves: change those, not this page. -->

Whatever is about to be published is shown to every rule that is installed and switched on. Rules that *block* refuse
the publish: the answer is 422 with all their findings, and nothing of the post is written. Rules that *warn* only add
to `warnings` of the answer. Drafts and scheduled posts are not looked at before they are published.

What a rule may do on a site is the setting `gate.<code>.mode`, which is its own kind at first:

| mode | what it finds | when it raises, or takes longer than two seconds |
| --- | --- | --- |
| `block` | refuses the publish | refuses under its own code, and is logged |
| `warn` | is added to `warnings` | is logged |
| `shadow` | is counted, and shown to nobody | is logged |
| `off` | it is not asked at all | |

Rules that only warn by their kind do not take `block`. `cms-host gate simulate` tells beforehand what a change of a
mode or of any other setting would refuse ([operate.md](operate.md#the-gate)). A rule can also be left out altogether,
by its plugin's name in `cms.toml`; the setting of its mode is then gone, and comes back with its value:

```toml
[plugins]
disabled = ["gate-missing-cover"]
```

Settings are changed while the site runs, with `PUT /api/v1/settings/{key}`. To add a rule of your own, see
[write-a-gate-rule.md](write-a-gate-rule.md).
"""


def gate_rules() -> str:
    """The page of the gate rules of this repository: code, kind, what they say of themselves, settings."""
    host = make_host(Config())
    found = sorted(_own_rules(host), key=lambda each: each[1].code)
    index = [(f"[`{rule.code}`](#{rule.code})", rule.kind, _paragraphs(rule)[0]) for _, rule in found]
    parts = [GATE_RULES, _table(("code", "kind", "what it does"), index)]
    parts += ["\n\n".join(_section(host, plugin, rule)) + "\n" for plugin, rule in found]
    return "\n".join(parts)


#: Name of the page, and what makes it.
PAGES: Mapping[str, Callable[[], str]] = {"events": events, "gate-rules": gate_rules, "spec-coverage": coverage}


def _own_rules(host: Host) -> Iterator[tuple[str, GateRule]]:
    for plugin, rule in host.plugins.each("cms_gate_rules", host=host):
        if Path(inspect.getfile(type(rule))).is_relative_to(OURS):
            yield plugin, rule


def _section(host: Host, plugin: str, rule: GateRule) -> Iterator[str]:
    yield f"## {rule.code}"
    yield from _paragraphs(rule)
    acts = "Blocks" if rule.kind == "block" else "Warns"
    yield f"{acts}. Plugin `{plugin}`, package `{host.plugins.known[plugin].package}`."
    settings = [setting for setting, owner in host.settings.registry.values() if owner == plugin]
    if settings:
        yield _table(("setting", "type", "default", "takes", "meaning"), map(_setting_row, settings)).rstrip()


def _paragraphs(rule: GateRule) -> list[str]:
    return (inspect.getdoc(type(rule)) or "").split("\n\n")


def _setting_row(setting: Setting[Any]) -> tuple[str, ...]:
    bounds = [f"at least {setting.minimum}"] if setting.minimum is not None else []
    bounds += [f"at most {setting.maximum}"] if setting.maximum is not None else []
    takes = ", ".join([*map(str, setting.choices), *bounds]) or "any"
    return f"`{setting.key}`", setting.type, f"{setting.default}", takes, setting.description


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    for name in sys.argv[1:] or PAGES:
        (DOCS / f"{name}.md").write_text(PAGES[name](), "utf-8")
