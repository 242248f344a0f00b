"""The page of the events: what happens on a site, and what is told of it. Made from the classes of the events."""

import inspect
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, get_type_hints

from cms_host.api import Event, Host
from cms_host.app import make_host
from cms_host.config import Config

OURS = Path(__file__).resolve().parents[1] / "plugins"

EVENTS = """\
# Events

<!-- Made by `python -m docs.generate events` from the classes of the events: change those, not this page. -->

What happens on a site is told to whoever wants to know: to addresses on the web ([operate.md](operate.md#events),
[verify-a-delivery.md](verify-a-delivery.md)), in a file, in a Redis stream, and to sinks of your own
([write-an-event-sink.md](write-an-event-sink.md)). All of them get the same bytes, which are written down with the
change itself and never change again:

```json
{
  "id": "8a5e2a3e-6a34-4f4e-8e0c-5b8f1a6f4f0e",
  "event": "post_deleted",
  "created_at": "2026-01-15T12:00:00.000000+00:00",
  "data": {"id": 7, "title": "A walk", "slug": "a-walk", "type": "post", "permanent": false}
}
```

It makes no difference what brought the change about: a request, the scheduler, a webhook action or a command. A change
that is undone tells nothing. Every event arrives at least once: skip an `id` that you have seen. Events arrive in the
order in which things happened, except for those that had to be tried again; `created_at` says when each did.
"""
TYPES = {int: "integer", str: "string", bool: "boolean", str | None: "string or null", list[str]: "array of strings"}


def events() -> str:
    """A section for each kind of event of this repository."""
    host = make_host(Config())
    return "\n".join([EVENTS, *("\n".join(_section(*each)) for each in sorted(_own_kinds(host)))])


def _own_kinds(host: Host) -> Iterator[tuple[str, str, type[Event]]]:
    for plugin, kind in host.plugins.each("cms_event_kinds"):
        if Path(inspect.getfile(kind)).is_relative_to(OURS):
            yield kind.kind, plugin, kind


def _section(name: str, plugin: str, kind: type[Event]) -> Iterator[str]:
    types: dict[str, Any] = get_type_hints(kind)
    yield f"## {name}\n"
    yield f"{inspect.getdoc(kind)} From the plugin `{plugin}`.\n"
    yield "| field of `data` | type |\n| --- | --- |"
    for each in fields(kind):
        yield f"| `{each.name}` | {TYPES[types[each.name]]} |"
    yield ""
